/** Devices at home, time, lists, messages, media, and talk with an assistant. */
export const HOME = `
# operating things: verbs
turn on, switch on, power on, flip on, turned on, activate, enable, 打开, 开启, 启动, 启用, 开一下, 通电
turn off, switch off, power off, shut off, turned off, deactivate, disable, 关掉, 关闭, 关上, 关一下, 停用, 禁用, 断电, 关了吧
open, unclose, 打开, 开开, 拉开, 敞开
close, shut, closed, 关上, 关好, 合上, 拉上, 关严
raise, roll up, pull up, move up, 升起, 抬起, 升上去, 拉起来
lower, roll down, pull down, move down, 降下, 放下来, 降下来, 拉下来
increase, turn up, crank up, make higher, step up, 调高, 增加, 提高, 升高, 加大, 调大, 高一点
decrease, reduce, turn down, bring down, make lower, step down, 调低, 减少, 降低, 减小, 调小, 低一点
start, begin, began, commence, get going, 开始, 启动
stop, halt, cease, 停止, 停下, 停掉, 终止, 别弄了, 停一停
pause, paused, put on hold, 暂停, 停一下, 先停, 挂起
continue, carry on, unpause, keep going, pick up again, 继续, 接着, 接着来
repeat, say again, once more, one more time, come again, 重复, 再说一遍, 再来一次, 再讲一遍, 没听清, 没听清楚
skip, jump over, 跳过, 略过, 切掉
undo, revert, roll back, take back, undid, 撤销, 撤回, 还原, 回退
cancel, call off, never mind, forget it, abort, scrap it, 取消, 算了, 不要了, 作罢, 不用了
reset, restore defaults, factory reset, 重置, 恢复默认, 恢复出厂, 出厂设置, 恢复出厂设置
restart, reboot, power cycle, 重启, 重新启动, 重开机, 重开, relaunch, start again, 重启一下
shut down, power down, turn off device, shutdown, 关机, 自动关机, 定时关机
adjust, tweak, fine tune, regulate, 调节, 调整, 调一下, 微调
switch to, change over, swap to, change to, 切换到, 换成, 改成, 换到, 调到
add to list, put on list, append, 加到清单, 加入清单, 添加到列表, 加进去, 列上
delete, remove, erase, get rid of, wipe, 删除, 删掉, 移除, 去掉, 清除, 抹掉
edit, modify, amend, revise, update entry, 编辑, 修改, 改一下, 更改
connect, link up, hook up, 连接, 配对, 连上, 接上, 绑定设备
control remotely, remote control, operate remotely, 遥控, 远程控制, 远程操作
try again, retry, another attempt, 重试, 再试一次, 重新来, 重来
speak slower, talk slower, slower please, 说慢点, 语速慢点, 放慢语速
speak up, louder please, talk louder, can't hear you, 大声点, 听不见, 说大声点, 听不清
be quiet, shut up, stop talking, hush, silence please, 闭嘴, 安静, 别说话, 别吵, 别说了
read aloud, read out, read to me, text to speech, narrate, tts, 朗读, 念一下, 读出来, 念给我听, 语音播报, 播报, speech synthesis, voice over, narration, 文字转语音, 语音合成, 配音, 念出来
dictate, speech to text, voice typing, voice input, 听写, 语音输入, 语音转文字, 口述, transcribe, transcription, voice recognition, asr, dictation, audio to text, 语音识别, 转写, 录音转文字
# state questions
is it on, still on, turned on already, left on, did i leave, 开着吗, 还开着, 开了没, 是不是开着, 忘关, 忘了关
is it off, is it closed, did i close, turned off already, 关了吗, 关了没, 关好了吗, 是否关闭
is it locked, did i lock, door locked, lock status, lock state, 锁了吗, 锁门了没, 门锁状态, 锁好了吗, 忘锁门
device status, device state, current state, 设备状态, 当前状态, 运行状态
is anyone home, who's home, someone home, presence detection, 家里有人吗, 谁在家, 有人在家, 在家检测
# smart home
smart home, home automation, connected home, domotics, iot devices, home control, 智能家居, 家居控制, 全屋智能, 智能家电, 家电控制
light, lamp, lighting, bulb, luminaire, 灯, 电灯, 灯光, 灯泡, 照明, 台灯, 吊灯
turn on light, lights on, light up, too dark, 开灯, 太黑了, 把灯打开, 亮灯, 点亮
turn off light, lights out, lights off, kill the lights, 关灯, 熄灯, 把灯关了, 灭灯
brightness, how bright, luminance, light level, light intensity, 亮度, 明暗, 光亮, 光线强度
brighten, brighter, make it brighter, more light, 调亮, 亮一点, 再亮点, 提高亮度, 增加亮度
dim, dimmer, darken, less bright, too bright, 调暗, 暗一点, 太亮了, 刺眼, 降低亮度
light color, light colour, hue, color of light, lamp color, 灯光颜色, 灯的颜色, 换颜色, 变色, 彩灯
color temperature, warm white, cool white, warm light, 色温, 暖光, 冷光, 暖白, 冷白
night light, bedside lamp, nightlight, 夜灯, 小夜灯, 床头灯, 起夜灯
home mode, lighting scene mode, 场景, 情景模式, 场景模式, 一键场景
i'm home, home mode on, arriving home, back home, came home, 我回来了, 回家模式, 到家了, 我回家了
leaving home, away mode, i'm leaving, 离家模式, 我出门了, 出门模式, 我走了
bedtime mode, sleep mode, going to bed, 睡眠模式, 睡觉模式, 我要睡了, 准备睡觉
movie mode, cinema mode, movie night, theater mode, 观影模式, 影院模式, 看电影模式
thermostat, climate control, hvac, indoor temperature, room temperature, 温控器, 恒温器, 室温, 室内温度, 温控, 温度调节
set temperature, target temperature, temperature setting, set degrees, 设定温度, 设置温度, 调到多少度, 温度设定, 调温
too cold, chilly, make it warmer, i'm cold, warm it up, 太冷了, 好冷, 暖和一点, 冷死了, 升温
too hot, make it cooler, sweltering, i'm hot, cool it down, 太热了, 好热, 凉快一点, 热死了, 降温
air conditioner, air conditioning, aircon, ac unit, a/c, cooling, 空调, 冷气, 制冷, 开空调
heating, heater, radiator, furnace, underfloor heating, 暖气, 取暖器, 地暖, 供暖, 制热, 电暖器, boiler, central heating, 采暖, 锅炉
fan, ceiling fan, electric fan, ventilator, 风扇, 电风扇, 吊扇, 电扇, 落地扇
fan speed, wind speed setting, blow harder, airflow, 风速调节, 风量, 风力档位, 风大一点, 风小一点
ventilation, air exchange, fresh air system, exhaust fan, extractor, 通风, 换气, 新风, 新风系统, 排气扇, 换气扇
air purifier, purify air, air cleaner, 空气净化器, 净化空气, 净化器
humidifier, humidify, air too dry, 加湿器, 加湿, 空气太干, 太干了
dehumidifier, dehumidify, too damp, too humid, 除湿机, 除湿, 太潮了, 抽湿, 回南天
humidity, moisture level, how humid, relative humidity, 湿度, 潮湿, 干湿, 多潮湿, dew point, damp, moisture, 空气湿度, humidity sensor, humidity reading, 湿度传感器
curtain, drapes, drapery, 窗帘, 帘子, 纱帘, 拉窗帘
blinds, shutters, roller shade, roller shutter, louver, 百叶窗, 卷帘, 百叶帘, 遮阳帘, 遮光帘
robot vacuum, vacuum robot, robot cleaner, roomba, robovac, sweeping robot, 扫地机器人, 扫地机, 扫拖机器人, 机器人吸尘器
vacuum the floor, sweep the floor, clean the floor, 扫地, 吸尘, 清扫, 打扫地面
return to dock, back to base, go charge, docking station, 回充, 回去充电, 回基站, 回充电座
door lock, smart lock, deadbolt, 门锁, 智能锁, 电子锁, 密码锁, 指纹锁
lock the door, lock up, bolt the door, 锁门, 上锁, 锁上, 反锁, 把门锁了
unlock the door, unbolt, let me in, 开锁, 解锁门, 开门锁, 把门打开
garage, garage door, car port, carport, 车库, 车库门, 卷闸门, 车库大门
doorbell, video doorbell, someone at door, who's there, knocking, 门铃, 可视门铃, 谁在敲门, 有人敲门, 门口有人
sensor, detector, probe reading, sensor reading, 传感器, 感应器, 探测器, 传感器数据, probe, telemetry, sensor data, 探头, 遥测
motion sensor, motion detected, movement detection, 人体感应, 移动侦测, 运动传感器, 有人经过
smoke alarm, smoke detector, fire alarm, gas leak, carbon monoxide, 烟雾报警, 烟感, 燃气泄漏, 煤气泄漏, 火警
water leak, leak sensor, burst pipe, 漏水, 水浸, 漏水检测, 水浸传感器
security camera, surveillance camera, home camera, cctv, ip camera, baby monitor, 摄像头, 家用监控, 看家, 婴儿监护, video surveillance, 监控摄像, 视频监控, 监控画面, 调监控
home security, burglar alarm, intruder, alarm system, 家庭安防, 防盗, 安防系统, 有贼
smart plug, power socket, power strip, wall socket, 插座, 智能插座, 插排, 插线板, 排插
energy consumption, electricity usage, power usage, kwh, how much electricity, 用电量, 耗电, 能耗, 用了多少电, 费电, power consumption, energy use, how much power, 电量, 功耗
water heater, hot water, geyser, 热水器, 烧热水, 热水, 洗澡水
kettle, boil water, electric kettle, 水壶, 烧水, 电热水壶, 热水壶
coffee machine, coffee maker, brew coffee, make coffee, espresso machine, 咖啡机, 煮咖啡, 冲咖啡, 泡咖啡, 来杯咖啡
washing machine, laundry, wash clothes, do the laundry, 洗衣机, 洗衣服, 洗衣, dry cleaning, stain, 干洗, 污渍, 去渍
clothes dryer, dry clothes, tumble dryer, drying rack, 烘干机, 干衣机, 晾衣架, 烘干, 烘衣服
fridge, refrigerator, freezer, icebox, 冰箱, 冰柜, 冷藏, 冷冻
oven, preheat, toaster oven, 烤箱, 预热, 烤炉
microwave, microwave oven, reheat food, heat up food, 微波炉, 加热饭菜, 热饭, 叮一下
rice cooker, pressure cooker, cook rice, slow cooker, 电饭煲, 电饭锅, 煮饭, 高压锅, 蒸米饭
sprinkler, irrigation, water the lawn, water the garden, 浇花, 洒水, 灌溉, 浇水, 草坪喷灌
living room, sitting room, family room, 客厅, 起居室
bedroom, master bedroom, sleeping room, 卧室, 主卧, 次卧, 睡房
automation, if this then, trigger rule, automate, 自动化, 自动执行, 触发条件, 联动规则, rpa, automatic workflow, bot automation, 流程自动化, 自动操作, 机器人流程
house chores, housework, clean the house, tidy up, household tasks, 家务, 做家务, 打扫卫生, 收拾屋子, 大扫除
garbage sorting, recycling, which bin, waste sorting, recyclable, 垃圾分类, 什么垃圾, 可回收, 厨余垃圾, 湿垃圾, 干垃圾, recycle, garbage, trash, rubbish, bin day, 回收, 废品回收, 倒垃圾, 垃圾
house plant, potted plant, plant care, gardening, flowers wilting, 盆栽, 养花, 绿植, 园艺, 养护植物, 叶子发黄, houseplant, water plants, water my plants, grow plants, 浇花, 浇水, 种花, 植物养护
# time and calendar
alarm, alarm clock, wake up call, wake me up, woke up, 闹钟, 叫醒, 起床铃, 叫我起床, 叫早, 喊我起床
set alarm, add alarm, create alarm, new alarm, 定闹钟, 设闹钟, 设置闹钟, 新建闹钟, 上闹钟
snooze, five more minutes, sleep longer, 贪睡, 再睡一会, 稍后提醒, 再睡五分钟
alarm ringing, alarm going off, stop the alarm, dismiss alarm, 闹钟响了, 关闹钟, 停止响铃, 关掉闹钟
timer, countdown, count down, egg timer, kitchen timer, 计时器, 倒计时, 定时器
stopwatch, lap time, count up, time me, 秒表, 计时, 跑表, 掐表
pomodoro, focus timer, focus session, 番茄钟, 番茄工作法, 专注计时, 专注
reminder, remind me, don't forget, nudge me, 提醒, 别忘了, 提醒我, 叫我一声, 记得喊我, 到点叫我, remind, notify me, nudge, heads up, 叫我, 记得, 到点通知, 定时提醒
list reminders, show my reminders, upcoming reminders, pending reminders, 查看提醒, 有哪些提醒, 提醒列表, 待提醒
appointment, booking slot, scheduled visit, 预约, 约时间, 约好
meeting, conference, standup, get together, sync up, 会议, 开会, 例会, 会面, 碰头会, sync-up, team meeting, hold meeting, 会谈, 开个会
schedule a meeting, set up meeting, arrange a meeting, meeting invite, call a meeting, 安排会议, 约会议, 开个会, 会议邀请, 发起会议, 约个会, schedule meeting, arrange meeting, find a slot, calendar invite, 预约会议, 约时间, 拉个会
meeting room, conference room, huddle room, 会议室, 订会议室, 会议间, book meeting room, 会议室预定, 会议室预约, 空会议室
video call, video conference, videochat, facetime, zoom call, video meeting, 视频通话, 视频会议, 打视频, 视频聊天, online meeting, web conference, zoom meeting, 线上会议, 腾讯会议, 远程会议
meeting notes, meeting minutes, minutes of meeting, meeting summary, 会议纪要, 会议记录, 会议总结, meeting record, 会议摘要, 开会记录, 会上说了什么
attendee, participant, invitee, who's coming, guest list, 参会人, 与会者, 参加者, 都有谁参加, 来宾名单
calendar, schedule, agenda, diary, planner, 日历, 日程, 日程表, 行程表, 日程安排, appointments, timetable, am i free, 有没有空
what's on today, today's agenda, plans for today, day ahead, 今日日程, 今天的安排, 今天要干嘛
add event, create event, put in calendar, new calendar entry, 添加日程, 新建日程, 加到日历, 创建日程, 记到日历
delete event, remove from calendar, cancel event, clear my calendar, 删除日程, 取消日程, 清空日程
reschedule, postpone, put off, push back, move meeting, delay meeting, 改期, 推迟, 延期, 改时间, 往后推, 另约时间
bring forward, move up date, earlier date, advance the meeting, 提前, 提早, 往前挪
recurring, repeating event, repeat weekly, recurring event, 重复日程, 周期性, 重复事件, 循环日程
deadline, due by, cutoff date, time limit, 截止日期, 截止时间, 最后期限, 期限, 什么时候交, ddl, cut-off date, when is due, time left, 最晚什么时候, 到期日
free time, availability, available slot, am i free, am i busy, free busy, spare time, 空闲, 有空吗, 有没有空, 忙不忙, 空档, 有时间吗
double booked, schedule conflict, calendar conflict, time clash, 日程冲突, 时间冲突, 撞期, 时间重叠
current time, what time, time now, tell the time, clock, 几点了, 现在几点, 当前时间, 报时, 几点钟
today's date, what date, date today, what's the date, 今天几号, 今天日期, 几月几号, 当前日期, 几号
day of week, which weekday, what day is, 星期几, 周几, 礼拜几
time zone, timezone, local time, time difference, utc, gmt, 时区, 时差, 当地时间, 世界时间, 那边几点, what time there
convert time zone, world clock, time in tokyo, time abroad, 时区转换, 世界时钟, 换算时间, 北京时间
daylight saving, summer time, clocks change, dst, 夏令时, 夏时制, 冬令时
date calculation, days between, days until, how many days, date difference, 日期计算, 相差几天, 还有几天, 多少天后, 间隔天数, 距离还有
holiday, public holiday, bank holiday, 节假日, 放假, 法定假日, 假期, 放几天假, 调休, festival, national holiday, day off, christmas, 节日, 春节, 国庆, 圣诞节
lunar calendar, chinese calendar, 农历, 阴历, 旧历, 农历日期, 万年历, auspicious day, solar term, almanac, 黄历, 节气, 吉日, 宜忌, 老黄历
birthday, born on, date of birth, bday, 生日, 过生日, 出生日期, 几岁生日, birthday party, happy birthday, 生日快乐, 生日派对
anniversary, commemoration, memorial day, 纪念日, 周年, 结婚纪念日, wedding anniversary, special day
zodiac, star sign, horoscope, 星座, 星座运势, 运势, 今日运势, astrology, birth chart, aries, 星盘, 占星
age, how old, years old, calculate age, 年龄, 几岁, 多大了, 周岁
sunrise, sunset, sun comes up, dawn, dusk, gets dark, 日出, 日落, 天亮, 天黑, 几点天黑, golden hour, daylight hours, 太阳下山, 日照
# lists and notes
to do, to-do list, todo, task list, checklist, 待办, 待办事项, 任务清单, 任务列表, 要做的事, to-do, todo list, things to do, 清单
add task, create task, new todo, add todo, 新建任务, 添加待办, 加个任务, 创建待办
mark complete, check off, mark done, tick off, finished task, complete task, 标记完成, 完成任务, 勾掉, 划掉, 做完了, 打勾
note, memo, jot down, take a note, write down, wrote down, notepad, 笔记, 备忘录, 便签, 记一下, 记下来, 记录一下, 随手记, notes, note taking, memorandum
voice memo, record audio, voice recording, audio recorder, sound recorder, 录音, 语音备忘, 语音备忘录, 录个音, 录音机
diary entry, write diary, daily log, 日记, 写日记, 手账, 日志记录
remember this, memorize, keep in mind, 记住, 帮我记住, 记在心里, 别忘记
habit, habit tracker, streak, daily check in, 习惯, 养成习惯, 习惯打卡, 每日打卡
# contacts, phone, messages, mail
contacts, address book, phone book, contact list, 联系人, 通讯录, 电话簿, 通信录, contact person, business card, 名片, 联系方式
add contact, new contact, save number, save contact, 添加联系人, 新建联系人, 存号码, 存电话
phone number, telephone number, mobile number, cell number, contact number, 电话号码, 手机号, 联系电话, 电话多少
phone call, call someone, dial, ring up, give a call, rang, 打电话, 拨打, 拨号, 去电, 给打个电话, 通话, voice call, 给他打电话
answer call, pick up phone, take the call, 接电话, 接听, 接起来
hang up, end call, hung up, drop the call, 挂电话, 挂断, 结束通话, 挂了
redial, call back, return call, ring back, 回拨, 重拨, 回电话, 打回去
missed call, call history, call log, recent calls, who called, 未接来电, 通话记录, 漏接, 谁打电话了, 来电记录
voicemail, voice mail, answering machine, 语音信箱, 语音留言, 电话留言
speakerphone, speaker mode, hands free, 免提, 外放
do not disturb, dnd, quiet hours, no interruptions, 勿扰, 免打扰, 勿扰模式, 别打扰我
emergency call, call police, sos, call ambulance, 紧急呼叫, 求救, 叫救护车, 急救电话
block number, blacklist, spam calls, harassing calls, block caller, 拉黑, 黑名单, 骚扰电话, 屏蔽号码
text message, sms, send text, texted, texting, short message, 短信, 发短信, 手机短信, bulk sms, 群发短信
send message, instant message, chat message, drop a message, sent message, message someone, 发消息, 发信息, 发微信, 捎句话, 告诉他一声, 发条消息
read messages, unread messages, new messages, any messages, 未读消息, 读消息, 新消息, 有消息吗, 查看消息
group chat, chat group, group message, channel chat, 群聊, 群消息, 拉群, 建群, 微信群, team chat, 群里
reply, write back, answer back, wrote back, 回复, 回信, 回一下, 回消息
forward message, relay message, 转发, 转给, 转达
e-mail, email, mail message, inbox, mailbox, 邮件, 电子邮件, 邮箱, 收件箱, 信箱, mail, gmail, outlook, 电邮
send email, write email, compose email, draft email, shoot an email, email someone, 发邮件, 写邮件, 起草邮件, 撰写邮件, sent email, 写封邮件, 邮件起草, 发封信
check email, unread email, new mail, any new emails, got mail, 查邮件, 看邮件, 新邮件, 未读邮件, 收邮件, 有没有邮件, unread mail, check mail, any new email
spam, junk mail, unwanted mail, unsubscribe, 垃圾邮件, 退订, 广告邮件, phishing, scam email, unwanted email, 钓鱼邮件, 骚扰邮件, 诈骗邮件
ringtone, ring tone, alert sound, 铃声, 来电铃声, 提示音, 手机铃声
broadcast announcement, intercom, announce at home, tell everyone, 全屋广播, 喊话, 对讲, 广播通知
# media
music, song, tune, melody, 音乐, 歌曲, 歌, 乐曲, 曲子
play music, play song, put on music, play some tunes, listen to music, 放歌, 播放音乐, 放音乐, 听歌, 来首歌, 放首歌, 来点音乐
playlist, song list, mixtape, play queue, 歌单, 播放列表, 音乐列表, 播放队列
next song, next track, skip song, play next, change the song, 下一首, 切歌, 换首歌, 下一曲, 换一首
previous song, last track, go back song, play previous, 上一首, 上一曲, 前一首
stop music, stop playing, stop playback, music off, 停止播放, 别放了, 关掉音乐, 不听了
loop, repeat song, on repeat, play again, single loop, 单曲循环, 循环播放, 重复播放, 再放一遍
shuffle, random play, mix it up, 随机播放, 打乱顺序, 乱序播放, 随便放
like this song, favorite song, save this song, thumbs up, love this song, 收藏歌曲, 喜欢这首, 红心, 收藏这首歌
song name, what song, now playing, currently playing, who sings, 什么歌, 这是谁唱的, 歌名, 这首歌叫什么, 正在播放
identify song, recognize song, shazam, name that tune, song recognition, 听歌识曲, 识别歌曲, 哼唱识别
lyrics, song words, song text, 歌词, 查歌词, 词曲
singer, artist, musician, vocalist, 歌手, 艺人, 乐队, 歌星, 演唱者
recommend music, music suggestion, songs i'd like, 推荐歌曲, 音乐推荐, 好听的歌, 推荐首歌
concert, live show, gig, tour dates, 演唱会, 音乐会, 现场演出, 巡演, 演出, live music, music festival, concert ticket, 音乐节, 演唱会门票
white noise, sleep sounds, rain sounds, relaxing sounds, ambient sound, nature sounds, 白噪音, 助眠, 雨声, 助眠音乐, 睡不着, soothing sounds, lullaby, 助眠音, 摇篮曲, 催眠曲, nursery rhyme, children's song, kids songs, 儿歌, 童谣
volume, sound level, loudness, 音量, 声音大小, 响度
volume up, louder, turn it up, increase volume, sound too low, 大声一点, 调大音量, 音量加, 声音大点, 增大音量, 声音太小
volume down, quieter, softer, too loud, decrease volume, turn it down, 小声一点, 调小音量, 音量减, 声音小点, 太吵了
mute, silence, silent mode, 静音, 消音, 静音模式, 关声音
unmute, sound back on, turn sound on, 取消静音, 解除静音, 恢复声音
speaker, loudspeaker, soundbar, smart speaker, 音箱, 音响, 喇叭, 智能音箱
radio, fm station, radio station, tune in, broadcast station, 收音机, 电台, 广播, 调频, 听广播, 广播电台, podcast, podcast episode, listen to radio, 播客, audio show, 播客节目, 音频节目
audiobook, audio book, listen to book, spoken book, 有声书, 听书, 有声读物, 听小说, read aloud book, read to me, 读给我听
bedtime story, tell a story, storytelling, fairy tale, 讲故事, 睡前故事, 童话故事, 童话, 说个故事, story, 故事, 讲个故事
next episode, new episode, latest episode, following episode, 下一集, 最新一集, 更新到第几集, 下集
video, footage, video clip, 视频, 短视频, 录像
play video, watch video, watch youtube, stream video, 播放视频, 看视频, 放视频, 刷视频
film, movie, motion picture, flick, cinema film, 电影, 影片, 片子, 大片
recommend movie, movie recommendation, what to watch, something to watch, good film, 电影推荐, 推荐电影, 看什么好, 好看的电影, 剧荒, 片荒, film suggestion, 看什么, 片单, 影视推荐
cinema, movie theater, movie showtimes, now showing, in theaters, 电影院, 影院, 排片, 上映, 正在热映, movie ticket, film showing, showtimes, 电影票, 场次, 买电影票
tv, television, telly, tv set, 电视, 电视机, 看电视, 智能电视
tv show, tv series, drama series, sitcom, soap opera, episode, 电视剧, 剧集, 连续剧, 追剧, 综艺, 美剧, television series, drama, 韩剧
tv channel, change channel, channel number, tv station, 频道, 换台, 电视台, 调台
tv guide, tv listings, tv schedule, what's on tv, tv program, 节目单, 电视节目, 节目表, 有什么节目, tv programme, broadcast schedule, 电视在播什么, 收视指南
fast forward, skip ahead, seek forward, 快进, 往前跳, 快进到
rewind, go back seconds, skip back, 快退, 倒回去, 后退, 倒带
playback speed, double speed, play faster, 倍速, 播放速度, 倍速播放, 两倍速
subtitle, closed captions, 字幕, 字幕文件, 加字幕, caption, srt, add subtitles, 配字幕, 字幕生成
cast to tv, screen mirroring, screencast, airplay, chromecast, 投屏, 投影到电视, 投到电视
photo, picture, image, snapshot, pic, 照片, 图片, 相片, 图像
take photo, take picture, take selfie, snap a picture, took picture, camera shot, 拍照, 照相, 自拍, 拍张照, 拍摄
screenshot, screen capture, screen grab, 截图, 截屏, 屏幕截图, capture screen, 网页截图
record screen, screen recording, capture screen video, 录屏, 屏幕录制, 屏幕录像, screencast, 录制屏幕
wallpaper, desktop background, lock screen picture, 壁纸, 桌面背景, 换壁纸
news, headlines, current affairs, breaking news, latest news, what's happened, 新闻, 头条, 时事, 资讯, 最新消息, 今日新闻, 有啥新闻, what's happening today, 今天有啥新闻, 要闻
trending, hot topics, what's hot, 热搜, 热门话题, 热点, 微博热搜, 热榜, trending topics, trending now, viral, hot search, hot topic, trending topic, buzz, 爆款, 最近火的
daily briefing, morning briefing, news summary, daily digest, 早报, 每日简报, 新闻摘要, 晨报, 新闻早知道
sports score, match result, who won, game score, final score, live score, 比分, 赛果, 谁赢了, 比赛结果, 几比几, game result, did they win, 赢了吗, 实时比分
poem, poetry, verse, recite a poem, 诗, 诗歌, 古诗, 诗词, 背诗, 唐诗, poet, haiku, 宋词, 写诗
# weather
weather, weather forecast, rain, raining, rainy, umbrella, sunny, cloudy, 天气, 天气预报, 下雨, 带伞, 晴天, 气象, 天气怎么样, 会下雨吗, 多云, forecast, snow, 下雪, 会不会下雨
temperature outside, how hot, how cold, degrees outside, outdoor temperature, cold outside, 气温, 多少度, 外面冷吗, 冷不冷, 热不热, 外面多少度, air temperature, hot outside, what to wear, jacket, 穿什么, 室外温度, 降温
what to wear, need a jacket, need a coat, dress for weather, clothing advice, 穿什么, 穿衣指数, 穿衣建议, 穿多少, 穿外套, 穿衣
snow, snowing, snowfall, blizzard, snowy, 下雪, 降雪, 雪天, 暴雪
precipitation, chance of rain, rainfall, rain probability, drizzle, 降水, 降雨, 降水概率, 降雨量, 阵雨, 雨量
wind, windy, wind speed, gust, breeze, wind direction, 风力, 风速, 刮风, 大风, 风向, 几级风, gale
storm, thunderstorm, lightning, thunder, 雷暴, 雷阵雨, 打雷, 闪电, 冰雹, 暴风雨
typhoon, hurricane, cyclone, tropical storm, 台风, 飓风, 气旋, 台风路径, weather warning, severe weather, weather alert, storm warning, 天气预警, 气象预警, 暴雨预警, 灾害预警, 极端天气, tornado, storm, thunderstorm, 暴雨, 预警, 龙卷风, 雷暴
fog, mist, haze, foggy, 雾, 大雾, 雾霾, low visibility, 能见度, 雾天, 起雾
air quality, pm2.5, smog, aqi, air pollution, 空气质量, 雾霾, 空气污染, 污染指数, 空气好吗, 要戴口罩吗, haze, pollution level, 空气指数, 空气好不好, 戴口罩
uv index, ultraviolet, need sunscreen, 紫外线, 防晒, 紫外线指数, 晒不晒, uv rays, sunburn, sunscreen index, 晒伤
feels like, apparent temperature, wind chill, heat index, 体感温度, 体感, 感觉温度
week weather, seven day forecast, weekend weather, next days weather, extended forecast, 一周天气, 未来几天天气, 七天预报, 周末天气, 未来天气
hourly forecast, weather next hours, minute forecast, rain soon, 逐小时预报, 分钟级降水, 雨什么时候停, 小时天气
# cooking at home
recipe, how to cook, cooking instructions, cook, what to cook, 菜谱, 食谱, 怎么做菜, 做菜, 烧菜, 炒菜, cook dinner, how to bake, 做法, 烹饪, 做饭, 怎么做好吃
meal idea, dinner idea, what's for dinner, what to eat, lunch ideas, 今天吃什么, 晚饭吃什么, 吃啥, 晚餐推荐, 午饭吃什么
ingredient, what goes into, food materials, 食材, 配料, 用料, what's in it, food ingredients, fridge leftovers, 食品成分, 冰箱里有
ingredient substitute, instead of butter, swap ingredient, 食材替代, 替代品, 用什么代替, replace ingredient, food substitution, alternative ingredient, 替换食材
cook time, how long boil, cooking time, bake time, minutes to cook, 烹饪时间, 煮多久, 蒸多久, 烤多久, 炖多久, how long cook, boil time, cook for, 煮几分钟
bake, baking, cake recipe, bake bread, 烘焙, 做蛋糕, 烤面包, 做面包, home baking, 烤箱做, 烤制
calories, nutrition, nutrition facts, how fattening, kcal, nutritional value, 卡路里, 热量, 营养成分, 营养, 多少大卡, 会胖吗, calorie, calorie intake, calorie count, fattening, 大卡, 多少卡, 摄入热量
meal plan, meal planning, weekly menu, diet plan, meal prep, 膳食计划, 一周菜单, 饮食计划, 减肥餐, 备餐, dinner ideas, 配餐, 三餐安排
# family, pets, baby
pet, pets, companion animal, furry friend, 宠物, 毛孩子, 小动物
dog, puppy, doggy, pooch, 狗, 小狗, 狗狗, 汪星人, pet, cat, kitten, 宠物, 猫咪, 小猫, 养狗, 养猫, kitty, 猫, 喵星人
feed pet, pet feeder, pet food, dog food, cat food, feed the dog, 喂宠物, 喂猫, 喂狗, 喂食器, 狗粮, 猫粮, fed, 宠物粮, 宠物喂食
walk the dog, dog walking, dog walker, 遛狗, 带狗散步, 溜狗, pet grooming, pet boarding, pet sitter, 宠物美容, 宠物寄养, 宠物洗澡
parental control, screen time, kids mode, child lock, 家长控制, 儿童模式, 屏幕时间, 童锁, 青少年模式
baby name, name my child, name ideas, choose a name, 起名, 取名, 宝宝起名, 取个名字, name my baby, name generator, 名字推荐, 起个名字
# small talk with the assistant
joke, tell a joke, make me laugh, something funny, funny story, pun, 笑话, 讲个笑话, 逗我笑, 段子, 冷笑话, 搞笑, funny, humor, humour, cheer me up, 幽默
riddle, brain teaser, guessing game, 谜语, 猜谜, 脑筋急转弯, 灯谜, trivia, quiz game, 问答游戏, 知识竞答, 猜一猜
trivia, fun fact, did you know, interesting fact, 冷知识, 小知识, 趣闻, 知识问答, 趣味知识, trivia fact, random fact, 你知道吗
famous saying, inspirational quote, quote of day, motivational, 名言, 名人名言, 金句, 语录, 鸡汤, famous quote, daily quote, motivation, 格言, 每日一句, 励志
chat, small talk, chit chat, let's talk, i'm bored, keep me company, 聊天, 闲聊, 陪我聊天, 好无聊, 唠嗑, 说说话
hello, hey, good morning, greetings, howdy, 你好, 您好, 嗨, 早上好, 哈喽, 打招呼
goodbye, bye, see you, farewell, so long, talk later, 再见, 拜拜, 回头见, 下次聊, 告辞
good night, sleep well, sweet dreams, 晚安, 好梦, 睡个好觉
thank you, thanks, much appreciated, grateful, 谢谢, 多谢, 感谢, 谢啦, 辛苦了
sorry, apologize, my bad, apology, excuse me, 对不起, 抱歉, 不好意思, 道歉, 赔不是
who are you, your name, introduce yourself, are you human, are you real, what are you, 你是谁, 你叫什么, 介绍一下自己, 你是机器人吗, 自我介绍
who made you, your creator, who built you, your developer, 谁发明了你, 你的开发者, 谁开发的你, 谁创造了你, 你从哪来
your abilities, your features, your skills, 你会什么, 你能做什么, 你有什么功能, 功能介绍
how are you, how's it going, are you okay, 你好吗, 最近怎么样, 近来可好, 过得如何
well done, good job, you're great, praise, compliment, 真棒, 干得好, 你真厉害, 夸夸我, 表扬, 夸奖
you're stupid, dumb answer, bad assistant, 你真笨, 太蠢了, 傻瓜, 骂人
feel sad, depressed, feeling down, lonely, comfort me, cheer me up, 难过, 心情不好, 伤心, 安慰我, 郁闷, 孤独, 不开心, sad, upset, unhappy, bad mood, crying, 情绪低落
mood, emotion, feelings, how i feel, 心情, 情绪, 情绪记录, 感受
meditation, mindfulness, breathing exercise, calm down, meditate, 冥想, 正念, 呼吸练习, 放松, 静心, relax
sing a song, sing for me, sang, can you sing, 唱歌, 唱首歌, 给我唱一个, 清唱
dream meaning, interpret dream, dreamt about, dreamed about, 解梦, 周公解梦, 梦见, 梦到, dream interpretation, dreamt, dreamed, nightmare, 做梦, 噩梦
change voice, assistant voice, male voice, female voice, accent, 换声音, 换音色, 男声, 女声, 换个嗓音, 发音人
wake word, activation phrase, change your name, assistant name, 唤醒词, 叫你什么, 给你改名
my name, user name, username, change nickname, nickname, 我的名字, 用户名, 昵称, 怎么叫我, 称呼我
user preferences, my preference, personal settings, my favorites, remember my taste, 用户偏好, 个人偏好, 喜好, 偏好设置, 个性化
# language: translation, words
translate, translation, interpreter, how to say, render into, 翻译, 译成, 怎么说, 用英语怎么说, 口译, 翻成, into english, into chinese, translator, localization, 英译中, 中译英, 翻成英文, 本地化, in chinese, in french, 英文怎么说, 译文
english, english language, american english, 英语, 英文, 英国话
chinese, mandarin, chinese language, 中文, 汉语, 普通话, 国语
assistant language, change language, switch language, system language, speak english, 切换语言, 换语言, 语言设置, 说英文, 系统语言
spelling, spell, how to spell, spelt, 拼写, 怎么拼, 拼法, 怎么写, 笔顺
spell check, typo, misspelled, spelling mistake, proofread, 拼写检查, 错别字, 纠错, 拼错了, 校对, spelling check, grammar check, correct grammar, 语法检查, 改错字, 病句, grammar, correct my english, verb tense, 语法, 改病句, 时态
definition, meaning of, what does mean, define, dictionary, look up word, 定义, 什么意思, 释义, 词典, 字典, 查字典, 词义, word definition, define a word, meaning of word, 查单词, 查字
pronunciation, pronounce, how to pronounce, phonetic, 发音, 怎么读, 念什么, 读音, 音标, how to say, pinyin, 拼音, 怎么念
pinyin, chinese romanization, tone mark, 拼音, 汉语拼音, 注音
synonym, thesaurus, another word for, 同义词, 近义词, antonym, opposite word, 反义词, 词语替换, opposite of, 反义, 相反的词
idiom, proverb, chinese idiom, 成语, 俗语, 谚语, 歇后语, wise saying, idiom story, 成语接龙
chinese character, stroke order, how many strokes, 汉字, 笔画, 笔顺, 偏旁, 部首
encyclopedia, wikipedia, wiki, 百科, 百科知识, 维基百科, 百度百科, 科普, encyclopaedia, general knowledge, look up facts, 百科全书, 常识
web search, google it, search online, search engine, look online, 上网搜, 搜索一下, 百度一下, 网页搜索, 搜索引擎, 联网搜索, search internet, look up online, browse web, 网上查
# calculator, maths, units
calculator, calculate, compute, work out, do the math, 计算器, 算一下, 算算, 等于多少, 算术, arithmetic, work out sum, math, 计算, 运算, 数学计算, add up, multiply, divide, 加减乘除
mathematics, maths, math problem, algebra, equation, solve equation, 数学, 数学题, 方程, 解方程, 代数, math, geometry, calculus, 几何, 微积分, 算术
percentage, percent, what percent, per cent, 百分比, 百分之几, 百分数, 占比
gratuity, split the bill, calculate tip, each owes, 小费, 平摊, 算小费, 均摊
unit conversion, convert units, unit converter, how many in, measurement conversion, 单位换算, 单位转换, 转换单位, 等于多少
length unit, meters to feet, inches, centimeters, kilometers to miles, 长度换算, 英寸, 厘米, 英里, 公里, 英尺
weight unit, pounds to kilos, kilogram, lbs, ounces, grams, 重量换算, 公斤, 磅, 盎司, 斤, 克重
celsius, fahrenheit, convert temperature, kelvin, 摄氏度, 华氏度, 温度换算, 华氏
cooking measure, tablespoon, teaspoon, cups to ml, kitchen conversion, 汤匙, 茶匙, 一勺多少克, 量杯, 厨房换算
area unit, acre, hectare, square feet, square meter, 面积换算, 亩, 公顷, 平方米, 英亩, 平方英尺
random number, pick a number, number generator, random integer, rng, 随机数, 随机数字, 随便选个数, 生成随机数
flip a coin, toss a coin, coin toss, heads or tails, 抛硬币, 掷硬币, 正面反面, 扔硬币, roll dice, random number, pick at random, 掷骰子, 随机数, 抽签, 摇骰子, 随机选
roll dice, roll a die, throw dice, dice roller, d20, 掷骰子, 扔骰子, 摇骰子, 掷色子, 色子
random pick, draw lots, choose for me, pick one, decide for me, lucky draw, spin the wheel, 抽签, 帮我选一个, 随机选择, 抽奖, 选择困难, 帮我决定
password generator, random password, strong password, generate password, 生成密码, 随机密码, 密码生成器, 强密码, password manager, 密码生成, 密码管理
# device, phone, settings
flashlight, torch, torchlight, flash light, 手电筒, 手电, 电筒, 闪光灯
find keys, lost keys, lost item, item tracker, airtag, 找钥匙, 钥匙丢了, 寻物, 东西找不到了, 防丢器
battery, battery level, battery life, how much juice, charge level, 电池, 电量, 还有多少电, 剩余电量, 没电了, 快没电了, energy storage, battery health, 储能, 蓄电池, 电池健康
charge phone, charging, charger, plug in phone, recharge battery, 充电, 充电器, 充满电, 给手机充电, 快充
power saving, battery saver, low power mode, save battery, 省电模式, 省电, 低电量模式, 节电
wifi, wi-fi, wireless network, wlan, hotspot, 无线网, 无线网络, 热点, 连网, router, 路由器, 手机热点
bluetooth, bluetooth pairing, bt device, 蓝牙, 蓝牙连接, 连蓝牙, 蓝牙配对
airplane mode, flight mode, aeroplane mode, 飞行模式, 航空模式
internet slow, no internet, network speed, speed test, connection down, slow wifi, 网速, 测网速, 没网, 网络太慢, 断网, 上不了网
open app, launch app, start application, run program, 打开应用, 启动应用, 打开软件, 运行程序
software update, system update, upgrade firmware, update available, 系统更新, 软件更新, 升级系统, 固件升级, 新版本
device settings, system settings, preferences menu, 设备设置, 系统设置, 设置选项, 手机设置
screen brightness, display brightness, screen too dark, screen too bright, 屏幕亮度, 屏幕太暗, 屏幕太亮, 显示亮度
dark mode, night mode, dark theme, night theme, 深色模式, 夜间模式, 暗黑模式, 黑暗模式
gps, location service, where am i, my location, current location, 定位, 我在哪, 我的位置, 当前位置, 位置服务, my position, locate me, 所在地
backup, back up, cloud backup, sync data, backed up, 备份, 云备份, 同步数据, 数据备份, snapshot, make copy of, disaster recovery, 快照, 容灾, 存一份, 备份一下
step count, pedometer, how many steps, steps walked, 步数, 计步, 走了多少步, 微信步数, 计步器, daily steps
take medicine, pill reminder, medication reminder, take my pills, took my meds, 吃药提醒, 服药提醒, 该吃药了, 按时吃药, 吃药, take my medicine, took my pills, 用药提醒
voice assistant, virtual assistant, smart assistant, alexa, siri, 语音助手, 虚拟助手, 智能助理, 小助手, 小爱同学
# more
mop the floor, mopping, wash the floor, wet clean floor, 拖地, 擦地, 湿拖, 洗地
arm the alarm, arm security, armed mode, 布防, 开启警戒, 警戒模式
disarm, disarm alarm, alarm system off, 撤防, 解除警戒, 解除布防
resume playing, resume playback, keep playing, continue playing, 继续播放, 接着放, 恢复播放
daily, every day, each day, everyday, 每天, 每日, 天天
weekly, every week, each week, 每周, 每星期, 每个礼拜
notification, push notification, notify me, pending alerts, 通知, 推送, 消息提醒, 通知消息, alert message, webhook notification, 消息推送, 通知推送, 消息通知
headphones, earphones, earbuds, headset, 耳机, 耳麦, 蓝牙耳机
vet, veterinarian, pet hospital, pet clinic, sick dog, 兽医, 宠物医院, 宠物看病, 狗生病, animal hospital, 动物医院
user profile, my profile, personal details, personal profile, 个人资料, 用户资料, 个人档案
babysitter, nanny, childcare, look after kids, 保姆, 育儿嫂, 看孩子, 带孩子, daycare, creche, 月嫂, 托儿所, 托育
novel, fiction, web novel, 小说, 网络小说, 看小说, 网文, ebook, book title, 电子书, 书籍, 图书
video game, play a game, gaming, console game, 游戏, 玩游戏, 电子游戏, 打游戏, game, mini game, 小游戏, 手游
actor, actress, who plays, film star, 演员, 主演, 谁演的, 影星, movie cast, starring, who played, movie star, filmography, 演职员, 明星, 男主角, 女主角
take out trash, garbage day, bin day, trash collection, 倒垃圾, 扔垃圾, 垃圾收集, 垃圾清运
print, printer, print out, printout, 打印, 打印机, 打出来, 打印文件, printing, hard copy, 纸质版, 印出来
`;
