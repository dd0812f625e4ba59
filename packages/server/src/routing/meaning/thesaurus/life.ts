/** Health, learning, sport, news, nature, cars, housing, family, public life. */
export const LIFE = `
# health
doctor, physician, gp, medic, specialist doctor, see a doctor, saw a doctor, 医生, 大夫, 看病, 看医生, 医师, 就医, 就诊
doctor's appointment, medical appointment, clinic appointment, hospital registration, book a doctor, 挂号, 预约挂号, 约医生, 预约就诊, 专家号, 门诊预约, 抢号
hospital, clinic, medical center, infirmary, 医院, 诊所, 卫生院, 门诊, 医疗机构
medical department, which department, outpatient department, what specialist, 科室, 看什么科, 挂什么科, 分诊, 导诊, 挂哪个科
emergency room, a&e, urgent care, ambulance, paramedic, 急诊, 救护车, 急救, 120, 急救中心
first aid, cpr, bleeding, choking, burn wound, 急救措施, 心肺复苏, 止血, 烫伤, 包扎, 急救知识
symptom, feel sick, feeling unwell, not feeling well, under the weather, symptom checker, 症状, 不舒服, 生病了, 难受, 身体不适, 病症, 自诊
medical diagnosis, diagnose illness, what disease, medical condition, 疾病诊断, 什么病, 确诊, 病情, 问诊, 辅助诊断
disease, illness, sickness, disorder, ailment, 疾病, 患病, 病种
fever, high temperature, body temperature, running a temperature, 发烧, 体温, 发热, 高烧, 低烧
have a cold, caught a cold, flu, influenza, runny nose, sneeze, 感冒, 流感, 流鼻涕, 着凉, 打喷嚏
cough, sore throat, throat hurts, 咳嗽, 嗓子疼, 喉咙痛, 有痰
headache, migraine, dizzy, dizziness, head hurts, 头疼, 头痛, 偏头痛, 头晕
stomach ache, stomachache, tummy ache, belly pain, 肚子疼, 胃疼, 腹痛, 肚子痛
diarrhea, diarrhoea, the runs, loose stool, 拉肚子, 腹泻, 拉稀
nausea, vomit, throw up, threw up, queasy, 恶心, 呕吐, 想吐
pain, ache, hurt, sore, 疼痛, 酸痛
medicine, medication, drug, pill, meds, 药, 药品, 药物, 用药, 吃什么药, 药片
dosage, dose, how many pills, drug interaction, side effect, 剂量, 用药量, 副作用, 药物相互作用, 一天吃几次, 不良反应, 药品说明书
prescription, refill, prescribed, rx, prescription renewal, 处方, 开药, 药方, 续方, 配药
pharmacy, chemist, drugstore, buy medicine, 药店, 药房, 买药, 大药房
dentist, tooth, teeth, toothache, dental, braces, 牙医, 牙疼, 口腔, 牙科, 看牙, 洗牙, 牙齿
eye, eyesight, vision test, glasses, optician, myopia, 视力, 眼睛, 眼科, 近视, 配眼镜, 验光
skin, rash, acne, dermatologist, itchy, eczema, pimple, 皮肤, 皮疹, 痘痘, 皮肤科, 发痒, 湿疹, 长痘
checkup, physical exam, medical exam, health screening, health check, 体检, 健康检查, 体检预约, 身体检查
test result, lab result, blood test, medical report, lab report, 化验单, 检查报告, 体检报告, 验血, 检验报告, 化验结果, 报告解读
x-ray, ct scan, mri, ultrasound, medical imaging, radiology, 拍片, ct, 核磁共振, 医学影像
medical record, health record, patient history, medical history, 病历, 健康档案, 病史, 就诊记录, 电子病历
surgery, surgical procedure, 手术, 开刀, 动手术, 外科
hospitalization, admitted to hospital, inpatient, hospital bed, 住院, 入院, 病房, 住院部
discharge from hospital, hospital discharge, leave hospital, 出院, 办出院, 出院手续
medical claim, insurance reimbursement, medical reimbursement, 医疗报销, 医保报销, 报销医药费, 住院理赔
medical bill, medical cost, hospital bill, treatment cost, 医药费, 医疗费用, 看病费用, 医疗账单, 看病多少钱
telemedicine, online doctor, online consultation, telehealth, 在线问诊, 互联网医院, 远程医疗, 网上看病, 图文问诊
mental health, depression, anxiety, depressed, anxious, panic attack, 心理健康, 抑郁, 焦虑, 心理疾病, 抑郁症, 心理问题
therapist, psychologist, counselling, counseling, therapy, psychiatrist, 心理咨询, 心理医生, 心理辅导, 咨询师, 心理疏导
stress, stressed, burnout, overwhelmed, under pressure, 压力大, 压力, 心累, 情绪崩溃, 减压
lonely, someone to talk, chat with me, companionship, bored, 孤独, 陪我聊天, 聊天, 陪伴, 无聊, 倾诉, 谈心
mood tracking, mood diary, emotion log, how i feel, 情绪记录, 心情日记, 情绪日记, 心情记录
fitness, workout, exercise routine, gym, working out, training plan, 健身, 锻炼, 健身房, 运动计划, 训练计划, 健身计划
yoga, pilates, stretching, 瑜伽, 普拉提, 拉伸
go running, jogging, track my run, marathon, 跑步, 慢跑, 马拉松, 夜跑, 晨跑
swim, swimming, swam, swimming pool, 游泳, 泳池, 游泳馆
sleep quality, sleep tracking, sleep data, how i slept, hours of sleep, slept, 睡眠, 睡眠质量, 睡了多久, 睡得怎么样, 睡眠监测
insomnia, can't sleep, sleepless, trouble sleeping, fall asleep, 失眠, 睡不着, 入睡困难, 睡不好, 助眠
my weight, body weight, how heavy, weigh myself, 体重, 称体重, 体重记录
lose weight, weight loss, slim down, fat burning, lost weight, 减肥, 减重, 瘦身, 减脂, 变瘦, 燃脂
bmi, body mass index, body fat, overweight, obese, 体脂, 体质指数, 身体质量指数, 肥胖, 超重, 胖不胖
heart rate, pulse, heartbeat, bpm, 心率, 心跳, 脉搏, 静息心率
blood pressure, hypertension, high blood pressure, 血压, 高血压, 量血压, 低血压
blood sugar, glucose, diabetes, diabetic, insulin, 血糖, 糖尿病, 测血糖, 胰岛素
wearable, fitness tracker, smartwatch, health data, fitbit, 手环, 智能手表, 健康数据, 运动手表, 穿戴设备
pregnancy, pregnant, expecting a baby, due date, prenatal, maternity, 怀孕, 孕期, 预产期, 产检, 备孕, 孕妇
menstrual period, menstruation, menstrual cycle, period tracker, ovulation, 月经, 经期, 大姨妈, 生理期, 排卵期, 例假
quit smoking, stop smoking, cigarette, tobacco, 戒烟, 抽烟, 吸烟, 香烟, 烟草
covid, coronavirus, pandemic, epidemic, outbreak, infection numbers, 新冠, 疫情, 流行病, 病毒感染, 传染病, 确诊人数
chinese medicine, tcm, acupuncture, herbal medicine, herbal remedy, 中医, 针灸, 中药, 中草药, 推拿, 拔罐
massage, spa, sauna, foot massage, 按摩, 足疗, 桑拿, 水疗, 汗蒸, 泡脚
cancer, tumor, tumour, oncology, 癌症, 肿瘤, 癌, 恶性肿瘤
blood donation, organ donation, donate blood, 献血, 捐献器官, 无偿献血
nurse, caregiver, home nursing, carer, 护士, 护工, 陪护, 护理
elderly care, nursing home, care home, senior care, aging parents, 养老院, 养老, 老人照护, 敬老院, 居家养老
disability, wheelchair, accessible, handicapped, barrier-free, 残疾人, 轮椅, 无障碍, 残障
# learning
school, kindergarten, primary school, middle school, high school, campus, 学校, 中学, 小学, 幼儿园, 高中, 校园
university, college, higher education, uni, 大学, 高校, 院校, 学院
course, online course, take a class, lesson, curriculum, lecture, mooc, 课程, 网课, 上课, 公开课, 慕课, 讲座
course registration, enroll course, pick classes, sign up class, 选课, 报课, 课程报名, 报名上课, 报班
class schedule, course timetable, what class today, class timetable, 课表, 课程表, 今天有什么课, 排课, 上什么课
exam, quiz, examination, midterm, test paper, final exams, 考试, 测验, 期末考, 试卷, 试题, 考卷, 模拟考
exam results, grades, exam marks, gpa, academic transcript, test scores, exam score, 考试成绩, 分数, 绩点, 成绩单, 考了多少分, 查分
practice questions, mock exam, question bank, exam prep, exam revision, 题库, 刷题, 备考, 练习题, 复习, 真题
homework, school assignment, schoolwork, coursework, 作业, 家庭作业, 功课, 课后作业
solve problem, homework help, maths problem, question answer, solve equation, 解题, 搜题, 答题, 题目解答, 拍照搜题, 解方程, 这道题
college admission, apply to university, university application, admission score, gaokao, 高考, 报志愿, 录取分数线, 升学, 志愿填报, 招生, 大学申请
postgraduate, master's degree, phd, grad school, graduate program, 研究生, 考研, 硕士, 博士, 读研
study abroad, overseas study, international student, ielts, toefl, 留学, 出国留学, 雅思, 托福, 留学申请
scholarship, financial aid, bursary, student grant, 奖学金, 助学金, 资助
teacher, tutor, instructor, professor, tutoring, 老师, 教师, 家教, 辅导, 讲师, 教授, 补课
student, pupil, classmate, undergrad, 学生, 学员, 同学, 大学生
learn something, study, self-study, teach me, taught, 自学, 教我, 学会, 读书学习
study plan, learning plan, study schedule, learning path, 学习计划, 学习路径, 学习规划, 学习路线
explain, explanation, what does mean, clarify, in simple terms, 解释, 讲解一下, 说明白, 什么意思, 通俗解释, 释义
flashcard, memorize, memorise, spaced repetition, 抽认卡, 单词卡, 记忆卡片, 背诵, 记忆法, 间隔重复
language learning, learn english, learn a language, spoken english, speaking practice, 学英语, 语言学习, 学外语, 练口语, 口语练习, 英语学习
vocabulary, word list, new words, learn words, 单词, 词汇, 背单词, 生词, 词汇量
essay, essay writing, english composition, essay topic, 作文, 写作文, 范文, 议论文
public library, borrow a book, library book, library loan, book loan, 图书馆, 借书, 还书, 借阅, 馆藏
qualification certificate, professional certification, qualification exam, professional license, diploma, 考证书, 考证, 资格证, 职业资格, 文凭, 毕业证
skill training, workshop, bootcamp, vocational training, 培训, 技能培训, 培训班, 职业培训, 研修
learn to code, programming course, coding lesson, 学编程, 编程课, 少儿编程, 编程学习
learn piano, music lessons, learn guitar, instrument lesson, 学钢琴, 学吉他, 乐器, 练琴, 音乐课
driving school, driving test, learn to drive, driving lesson, theory test, 驾校, 学车, 考驾照, 科目一, 科目二, 练车
school holidays, term dates, academic calendar, summer vacation, winter break, 寒假, 暑假, 校历, 开学, 放假安排, 什么时候放假
attendance, absent, skip class, roll call, class attendance, 考勤, 缺课, 点名, 缺勤, 旷课
# sport
sport, sports, athletics, 体育, 运动, 体育运动
fixture, match schedule, next match, next game, game time, who plays tonight, kickoff, 赛程, 比赛时间, 下一场比赛, 今晚谁踢, 有什么比赛, 对阵, 开球
standings, league table, ranking table, leaderboard, top of league, 积分榜, 排名, 排行榜, 名次, 联赛排名
sports match, ball game, competition, tournament, championship, 比赛, 赛事, 锦标赛, 竞赛, 球赛, 杯赛
sports team, football club, squad, lineup, roster, 球队, 队伍, 俱乐部, 阵容, 首发
athlete, player stats, sports player, top scorer, goals scored, 球员, 运动员, 射手榜, 球员数据, 球星, 进球数
player transfer, transfer news, player signing, 转会, 球员转会, 签约球员, 交易球员
football, soccer, premier league, world cup, champions league, 足球, 英超, 世界杯, 欧冠, 踢球, 中超
basketball, nba, hoops, 篮球, 打篮球, cba, 篮球赛
tennis, wimbledon, grand slam, 网球, 温网, 大满贯, 网球赛
baseball, mlb, 棒球, 美职棒
cricket, ipl, test match, wicket, 板球, 板球赛
formula one, f1, grand prix, motor racing, motorsport, 赛车, 方程式, 大奖赛
badminton, shuttlecock, 羽毛球, 打羽毛球
table tennis, ping pong, 乒乓球, 打乒乓
volleyball, beach volleyball, 排球, 女排
rugby, six nations, 橄榄球, 英式橄榄球
ice hockey, nhl, 冰球, 冰球赛
boxing, mma, ufc, martial arts, 拳击, 格斗, 武术, 综合格斗
golf, golf course, tee time, 高尔夫, 高尔夫球场, 打高尔夫
olympics, olympic games, medal count, gold medal, medal table, 奥运会, 奥运, 奖牌榜, 金牌, 亚运会
court booking, book a court, sports venue, stadium, pitch hire, 订场, 场馆预订, 球馆, 体育馆, 体育场, 订球场
skiing, ski, snowboard, ski resort, snow conditions, 滑雪, 滑雪场, 单板, 雪场
fishing trip, angling, go fishing, 钓鱼, 垂钓, 渔具
betting odds, bet, gambling, sports betting, wager, 赔率, 博彩, 下注, 赌球, 竞彩
lottery, lotto, winning numbers, jackpot, draw result, 彩票, 双色球, 开奖, 中奖号码, 大乐透, 中奖了吗
esports, e-sports, league of legends, gaming tournament, 电竞, 电子竞技, 英雄联盟, 王者荣耀
# entertainment
game guide, walkthrough, game cheats, game strategy, 游戏攻略, 通关攻略, 怎么通关, 出装
chess, chess opening, checkmate, 国际象棋, 下棋, 棋局
xiangqi, chinese chess, 象棋, 中国象棋
go game, weiqi, gomoku, 围棋, 五子棋
board game, tabletop game, settlers of catan, 桌游, 棋类
card game, poker, blackjack, texas holdem, 扑克, 打牌, 斗地主, 纸牌
mahjong, mah-jong, 麻将, 打麻将, 胡牌
movie review, film rating, imdb, rotten tomatoes, movie rating, 影评, 电影评分, 豆瓣评分, 电影评价, 好看吗
movie plot, synopsis, storyline, movie about, spoiler, movie ending, 剧情, 情节, 剧透, 结局, 讲的什么, 剧情简介
movie director, film director, who directed, 导演, 谁导演的, 执导
episode, tv season, next episode, new season, 剧集更新, 第几集, 下一集, 更新到哪, 哪一季
streaming service, netflix, where to watch, stream movie, 流媒体, 哪里能看, 在线观看, 视频网站, 播放平台
cartoon, anime, manga, comics, animated film, 动画片, 动漫, 漫画, 番剧, 追番
documentary, docuseries, nature film, 纪录片, 纪实片, 专题片
variety show, reality show, talk show, 综艺, 综艺节目, 真人秀, 脱口秀
theatre, theater show, musical, opera, stage play, ballet, 话剧, 歌剧, 音乐剧, 剧院, 舞剧, 戏剧
public event, local events, what's happening, things to do, whats on, weekend activities, 活动推荐, 本地活动, 周末去哪, 有什么活动, 同城活动, 周末活动
event ticket, ticketing platform, book tickets, buy tickets, ticketmaster, 票务, 购票, 买票, 订票, 演出票, 大麦
celebrity, celebrity gossip, famous person, idol, gossip, 名人, 八卦, 娱乐新闻, 艺人, 爱豆, 绯闻
karaoke, ktv, sing along, 唱歌
escape room, murder mystery, role-play game, 密室逃脱, 剧本杀, 狼人杀
photography, photo shoot, photographer, portrait shoot, 摄影, 摄影师, 写真, 约拍
hobby, pastime, leisure activity, 爱好, 兴趣, 消遣, 休闲活动
# books, history, facts
book recommendation, what to read, reading list, good books, book suggestion, 书单, 推荐书, 好书推荐, 看什么书, 图书推荐
author, writer, novelist, who wrote, wrote, written by, 作者, 作家, 谁写的, 著者
book summary, book review, summarize book, book notes, 书评, 读后感, 内容梗概, 读书笔记, 书摘
myth, mythology, legend, folklore, 神话, 传说, 民间故事
world history, historical event, ancient times, dynasty, 历史知识, 历史事件, 古代, 朝代, 史料
on this day, today in history, day in history, 历史上的今天, 那年今日
biography, historical figure, life story, who was, when was born, 人物传记, 生平, 历史人物, 人物介绍, 人物简介, 是谁
philosophy, philosopher, ethics, 哲学, 哲学家, 伦理
art, painting, artist, artwork, painter, sculpture, 艺术, 绘画, 画家, 艺术品, 名画, 雕塑
antique, collectible, appraisal, calligraphy, 古董, 文物, 收藏品, 鉴定, 书法
# news, politics
newspaper, magazine, journalist, news article, 报纸, 杂志, 报刊, 媒体, 记者
politics, political, parliament, congress, senate, 政治, 议会, 国会, 时政
president, prime minister, head of state, politician, leader of country, 总统, 首相, 总理, 国家领导人, 主席
election, vote, voted, polling station, ballot, candidate poll, 选举, 投票, 大选, 选票, 候选人
voter registration, register to vote, electoral roll, 选民登记, 登记投票, 选民资格
war, armed conflict, military, army, invasion, 战争, 军事, 武装冲突, 打仗, 军队
# science, nature, geography
science, scientific, scientist, 科学, 科普, 科学家, 科研
outer space, astronomy, planet, universe, cosmos, nasa, galaxy, astronaut, 太空, 天文, 行星, 宇宙, 航天, 星系, 宇航员
satellite, space station, iss, rocket launch, spacecraft, 卫星, 空间站, 火箭发射, 飞船, 航天器
star map, constellation, stargazing, night sky, telescope, 星空, 星图, 观星, 星座图, 天文望远镜
moon phase, full moon, new moon, moonrise, 月相, 满月, 月亮, 月圆
eclipse, solar eclipse, lunar eclipse, 日食, 月食
meteor shower, asteroid, comet, shooting star, 流星雨, 小行星, 彗星, 流星
chemistry, chemical, chemical element, periodic table, molecule, 化学, 元素周期表, 化学元素, 分子式, 化合物, 化学品
physics, gravity, quantum, classical mechanics, 物理, 力学, 量子, 物理学
biology, gene, dna, genetics, protein sequence, 生物, 基因, 细胞, 遗传, 基因组, 生物学
animal, wildlife, species, creature, 动物, 野生动物, 物种, 什么动物
bird, birdwatching, birding, bird species, 鸟, 观鸟, 鸟类, 什么鸟
insect, bug bite, spider, beetle, 昆虫, 虫子, 蜘蛛
mosquito, mosquitoes, mosquito repellent, 蚊子, 驱蚊, 被蚊子咬
plant identification, identify plant, plant species, what plant, name this flower, 识花, 植物识别, 这是什么花, 什么植物, 识别植物
flower, bouquet, florist, send flowers, roses, 鲜花, 花束, 花店, 送花, 玫瑰
geography, physical geography, landform, 地理, 地形, 地貌
mountain, peak, highest mountain, 山脉, 高山, 最高峰, 山峰
river, longest river, waterway, 河流, 江河, 最长的河
lake, reservoir, 湖泊, 水库
ocean, sea, marine, 海洋, 大海, 大洋
continent, which continent, 大洲, 哪个洲, 大陆
country, nation, capital city, country facts, national flag, 国家, 首都, 国旗, 各国
city, town, municipality, 城市, 城镇
province, state capital, prefecture, 省份, 省会
county, district, administrative division, 区县, 行政区划, 行政区
population, how many people, inhabitants, census, demographics, 人口, 多少人, 人口普查, 人口数量
agriculture, farming, farm crops, farm, farmer, livestock, 农业, 种植, 农作物, 养殖, 农民, 庄稼
# weather and environment
earthquake, quake, seismic, tremor, tsunami, 地震, 震感, 震级, 海啸, 地震速报
flood, flooding, river level, landslide, water level, 洪水, 水灾, 洪涝, 水位, 泥石流, 内涝
wildfire, forest fire, bushfire, 山火, 森林火灾, 野火
natural disaster, disaster relief, catastrophe, evacuation, emergency shelter, 自然灾害, 灾害, 救灾, 避难, 疏散, 应急避难
drought, heatwave, heat wave, extreme heat, 干旱, 高温, 热浪, 旱灾, 酷暑
pollen, hay fever, pollen count, 花粉, 花粉症, 花粉浓度, 花粉过敏
tide, high tide, low tide, tide table, surf conditions, sea waves, 潮汐, 涨潮, 退潮, 海浪, 赶海, 潮位
climate, climate change, global warming, greenhouse gas, 气候, 气候变化, 全球变暖, 温室气体
environmental protection, sustainability, eco-friendly, green living, 环保, 环境保护, 可持续, 绿色环保
water quality, drinking water, tap water, water pollution, 水质, 饮用水, 自来水, 水污染
# cars
car, vehicle, automobile, 汽车, 车辆, 轿车, 机动车
buy a car, new car, car dealer, test drive, car price, bought a car, 买车, 购车, 试驾, 新车, 车型报价
used car, second-hand car, sell my car, car valuation, 二手车, 卖车, 车辆估价, 二手车估值
oil change, engine oil, car oil, change the oil, 换机油, 机油, 润滑油, 换油
tyre, tire, tyre pressure, flat tire, puncture, car wheel, 轮胎, 胎压, 爆胎, 换轮胎, 补胎, 车胎
fuel consumption, mpg, fuel economy, fuel level, fuel efficiency, 油耗, 百公里油耗, 省油, 耗油量, 油量
car repair, mechanic, auto repair, garage repair, car trouble, body shop, 修车, 汽车维修, 汽修, 修车厂, 车坏了
car maintenance, car service, service my car, vehicle maintenance, 保养, 汽车保养, 车辆保养, 养车
car breakdown, roadside assistance, tow truck, car won't start, towing, 道路救援, 拖车, 抛锚, 车打不着, 搭电
engine light, warning light, car diagnostics, fault code, obd, 故障灯, 发动机灯, 车辆诊断, 故障码, 发动机故障
car accident, car crash, fender bender, traffic accident, hit my car, 车祸, 交通事故, 撞车, 追尾, 剐蹭
registration plate, license plate, car registration, number plate, vehicle registration, 车牌, 上牌, 车牌号, 车辆登记, 行驶证, 车牌摇号
vehicle inspection, mot, annual inspection, emissions test, 年检, 验车, 年审, 车辆检测
traffic violation, speeding ticket, parking ticket, traffic fine, penalty points, 违章, 罚单, 交通违法, 扣分, 违停, 交通罚款
driving licence, driver's license, driving license, licence renewal, 驾照, 驾驶证, 换驾照, 驾驶执照, 驾照换证
number restriction, driving ban day, odd-even restriction, 限行, 尾号限行, 今天限号, 限号
car wash, car cleaning, car detailing, 洗车, 汽车美容, 打蜡
dashcam, dashboard camera, car camera, 行车记录仪, 车载摄像头, 行车录像
car control, unlock car, start the engine, car door, car ac, 车控, 远程启动, 车门, 车窗, 开车门, 车载空调
motorcycle, motorbike, scooter, moped, 摩托车, 电瓶车, 踏板车, 机车
# housing and home services
house, home for sale, property listing, real estate, flat, apartment, housing, 房子, 房产, 公寓, 住房, 房地产, 楼盘, 房源
rent, lease, tenancy, rental, rent a flat, apartment hunting, 租房, 租赁, 出租, 找房子, 合租, 整租
buy a house, house hunting, purchase home, home buying, 买房, 购房, 置业, 看房
house price, property value, home valuation, property price, 房屋估价, 楼价, 房价走势, 房产估值, 二手房价格
estate agent, realtor, property agent, letting agent, 房产中介, 中介, 经纪人, 房产经纪
landlord, lessor, property owner, 房东, 出租人, 包租
tenant, renter, lessee, 租客, 租户, 承租人, 房客
flatmate, roommate, housemate, 室友, 合租室友, 舍友
lease contract, rental agreement, tenancy agreement, security deposit, 租房合同, 租约, 押金, 租赁合同
moving house, move house, removal company, movers, relocate, relocation, 搬家, 搬家公司, 搬迁, 搬房子, 迁居
water outage, no water, water cut off, no hot water, 停水, 没水了, 断水, 没热水
plumber, leaking pipe, blocked drain, dripping tap, clogged toilet, plumbing, 水管工, 马桶堵了, 下水道, 通马桶, 水管, 管道疏通
electrician, house wiring, wall socket, fuse, 电工, 电路维修, 插座, 电线, 电路
locksmith, locked out house, lost keys, change lock, lost my key, 开锁, 换锁, 锁匠, 忘带钥匙, 钥匙丢了
handyman, home repair, house repair, home maintenance, fix the house, 上门维修, 维修工, 家庭维修, 房屋维修, 报修
appliance repair, fix washing machine, fridge broken, repair tv, 家电维修, 修空调, 修冰箱, 修洗衣机
house cleaning, cleaner, maid, cleaning service, domestic help, vacuum, 保洁, 家政, 打扫, 清洁, 阿姨, 钟点工, 打扫卫生
renovation, remodel, decorate, home improvement, refurbish, redecorate, 装修, 翻新, 装潢, 改造房子, 家装
interior design, home decor, room layout, 室内设计, 家居设计, 软装, 户型图, 装修设计
furniture, sofa, bed frame, wardrobe, ikea, 家具, 沙发, 衣柜, 床垫, 宜家
pest control, exterminator, mice, rats, termites, 除虫, 灭鼠, 杀虫, 老鼠, 白蚁, 消杀
property management, building management, homeowners association, hoa, 物业, 物业管理, 物业费, 小区物业
neighbour, neighbor, noisy neighbours, noise complaint, 邻居, 噪音, 扰民, 噪音投诉
storage unit, self storage, luggage storage, left luggage, locker, 寄存, 行李寄存, 储物柜, 迷你仓
household chores, housework, chore list, to-do around house, 家务, 干家务, 家务活, 家务分配
# jobs
job application, apply for job, submit resume, application status, 投简历, 应聘, 申请职位, 投递简历, 求职进度
career advice, career planning, career path, career change, 职业规划, 职业发展, 转行, 职业建议, 职业生涯
part-time job, side job, gig work, side hustle, freelance, 兼职, 副业, 零工, 自由职业, 打零工
internship, intern, apprentice, graduate job, 实习, 实习生, 校招, 应届生, 学徒
labour law, labor dispute, unpaid wages, overtime pay, employment rights, 劳动法, 劳动仲裁, 欠薪, 加班费, 劳动争议
entrepreneur, startup, start a business, company registration, 创业, 开公司, 注册公司, 初创, 开店
# family, dating, pets, occasions
online dating, date night, find a partner, matchmaking, girlfriend, boyfriend, tinder, 约会, 相亲, 找对象, 交友, 女朋友, 男朋友, 脱单
relationship advice, love advice, breakup, broke up, heartbroken, romance, 恋爱, 感情问题, 分手, 失恋, 情感咨询, 追女生
marriage, get married, married life, wedlock, 结婚, 婚姻, 成家
spouse, husband, wife, 老公, 老婆, 配偶, 丈夫, 妻子, 爱人
marriage registration, marriage license, marriage certificate, 结婚登记, 领证, 结婚证, 婚姻登记
divorce, divorced, custody, 离婚, 抚养权, 离婚协议, 分居
wedding, wedding planning, bride, groom, wedding venue, bridal, 婚礼, 婚庆, 新娘, 婚宴, 婚纱, 办婚礼
family, relatives, my parents, siblings, 家人, 家庭, 亲戚, 父母, 亲属
baby, infant, newborn, toddler, 宝宝, 婴儿, 新生儿, 宝贝
baby care, baby feeding, breastfeeding, diaper, nappy, formula milk, 育儿, 喂奶, 母乳, 换尿布, 奶粉, 婴儿护理, 尿不湿
child, kid, children, kids, 孩子, 儿童, 小孩, 小朋友
parenting tips, raising children, parenting advice, child education, tantrum, 亲子, 教育孩子, 带娃, 家庭教育, 养孩子
pet adoption, adopt a pet, rescue dog, lost pet, missing dog, 领养宠物, 宠物领养, 流浪猫, 寻宠, 狗丢了
greeting card, blessing message, congratulations, best wishes, greetings, 贺卡, 祝福语, 祝福, 恭喜, 祝贺, 拜年
party, celebration, get-together, host guests, party planning, 聚会, 派对, 庆祝, 聚餐, 轰趴
invitation, invite guests, rsvp, guest list, 邀请函, 请柬, 请帖, 宾客名单
funeral, burial, died, passed away, obituary, cemetery, 葬礼, 殡葬, 去世, 墓地, 丧事, 讣告
# religion, fortune
religion, faith, religious, belief system, 宗教, 信仰, 宗教信仰
church, christian, mass times, sunday service, catholic, 教堂, 基督教, 做礼拜, 教会, 天主教
bible, scripture, bible verse, gospel, psalm, 圣经, 经文, 经书, 福音
prayer times, pray, prayer, mosque, qibla, quran, salah, 祷告, 祈祷, 清真寺, 古兰经, 礼拜时间, 朝拜方向
buddhism, temple, sutra, incense, monk, 佛教, 寺庙, 佛经, 烧香, 拜佛, 念经
fortune telling, fortune teller, divination, tarot, bazi, palm reading, luck today, 算命, 占卜, 塔罗, 八字, 算卦, 解签, 看手相
feng shui, geomancy, 风水, 看风水, 风水布局
chinese zodiac, year of dragon, birth animal, 生肖, 属相, 属什么
# law, police, emergency
will and testament, inheritance, heir, 遗嘱, 继承财产, 遗产, 继承权
police, report crime, call police, police report, cops, 911, 警察, 报警, 派出所, 110, 公安, 报案
theft, stolen, robbed, burglary, pickpocket, stole, burglar, 被偷, 偷窃, 盗窃, 小偷, 被抢, 入室盗窃
emergency, help me now, sos, urgent help, emergency contact, 紧急, 求救, 紧急求助, 救命, 紧急联系人, 应急
house fire, fire brigade, fire department, on fire, smoke alarm, firefighter, 火灾, 着火, 消防, 119, 起火, 火警
lost and found, lost property, lost item, left behind, lost my wallet, lost my phone, 失物招领, 丢东西, 丢失物品, 落在车上, 钱包丢了, 遗失物品
missing person, missing child, find someone, 失踪, 寻人, 走失, 找人
crime, criminal, crime rate, offence, murder, 犯罪, 罪犯, 刑事, 犯罪率, 犯法
consumer rights, consumer complaint, consumer protection, 消费者权益, 维权, 消费投诉, 12315
# government services
government service, public service, civic service, city hall, town hall, 政务, 政务服务, 办事大厅, 政府服务, 市民服务, 便民服务
government appointment, office visit slot, government queue, 办事预约, 政务预约, 预约办理, 现场办理
required documents, paperwork, what documents needed, application materials, 所需材料, 要什么材料, 办理材料, 手续, 办事指南, 要带什么证件
government policy, subsidy, government grant, benefits program, 政策, 补贴, 惠民政策, 政府补助, 扶持政策, 补助
household registration, hukou, residency registration, 户口, 户籍, 落户, 户口本, 户口迁移
residence card, temporary residence, proof of residence, 居住证, 暂住证, 居住证明, 办居住证
birth certificate, death certificate, civil registry, 出生证明, 死亡证明, 开证明, 出生登记
unemployment benefit, welfare, jobseeker allowance, food stamps, 失业金, 低保, 救济金, 失业补助, 福利
maternity leave, parental leave, maternity benefit, 产假, 生育津贴, 陪产假, 生育保险
permit, licence application, business license, 许可证, 执照, 营业执照, 办执照
citizen complaint, report road damage, government hotline, pothole, 市民热线, 12345, 信访, 投诉举报, 路面坑洼
volunteer, volunteering, community service, 志愿者, 义工, 志愿服务, 做公益
military service, enlist, veteran, 参军, 征兵, 当兵, 服兵役, 退伍军人
civil servant, government job, public sector job, 公务员, 考公, 事业单位, 公务员考试
# fashion and beauty
clothes, clothing, apparel, garment, outfit, dress, shirt, 衣服, 服装, 服饰, 裙子, 衬衫, 买衣服
outfit ideas, style my outfit, fashion advice, what to match, wardrobe advice, stylist, 穿搭, 搭配, 怎么搭, 造型, 时尚搭配, 穿衣搭配
shoes, sneakers, leather boots, footwear, 鞋, 鞋子, 运动鞋, 球鞋, 靴子
handbag, purse, backpack, bags, 包包, 手提包, 背包, 皮包
jewelry, jewellery, wedding ring, necklace, earrings, diamond, 珠宝, 首饰, 戒指, 项链, 耳环, 钻石
watch brand, wristwatch, luxury watch, 手表, 腕表, 名表
fashion trend, fashion, style trend, in fashion, 时尚, 潮流, 流行趋势, 时装
try on, virtual try-on, fitting room, virtual fitting, 试穿, 试衣, 虚拟试衣, 试妆
makeup, cosmetics, lipstick, foundation makeup, eyeshadow, 化妆, 彩妆, 口红, 粉底, 化妆品, 美妆
skincare, skin care, moisturizer, face cream, sunscreen, 护肤, 护肤品, 面霜, 防晒霜, 面膜, 保湿
haircut, hairdresser, barber, hair salon, hairstyle, cut my hair, dye hair, 理发, 剪头发, 美发, 发型, 理发店, 染发
beauty salon, facial treatment, do my nails, manicure, nail salon, beauty treatment, 美容, 美甲, 美容院, 做指甲, 做脸
cosmetic surgery, plastic surgery, botox, 整容, 医美, 整形, 玻尿酸
perfume, fragrance, scent, cologne, 香水, 香氛, 香味
tailor shop, alteration, mend clothes, hem trousers, 裁缝, 改衣服, 改裤脚, 量身定制
tattoo, piercing, tattoo removal, 纹身, 刺青, 打耳洞
`;
