/** Software, operations, security, text and picture processing, marketing, production. */
export const TECHNOLOGY = `
# developers
code, source code, script, 代码, 源码, 源代码, 程序, 脚本
write code, coding, programming, code generation, generate code, implement function, wrote code, 写代码, 编程, 代码生成, 编码, 敲代码, 写个程序, 写脚本
code review, review code, pull request review, check my code, review pr, 代码审查, 代码评审, 审代码, 代码审核, 看看代码
repository, repo, git repo, github, gitlab, codebase, 仓库, 代码仓库, 代码库
commit, commit code, push code, check in code, git commit, git push, 提交代码, 代码提交, 推代码, 提交记录
git branch, feature branch, checkout branch, code branch, 分支, 代码分支, 切分支, 拉分支
merge branch, pull request, merge request, merge conflict, pr, 合并分支, 合并请求, 代码合并, 合代码, 代码冲突
compile, compilation, build failed, build project, code build, 构建, 编译, 编译失败, 打包失败, 编译不过
unit test, test case, automated test, run tests, test script, regression test, qa, software testing, 单元测试, 测试用例, 自动化测试, 跑测试, 测试脚本, 回归测试
deploy, deployment, go live, put into production, ship, roll out, 部署, 上线, 发布上线, 推到生产, 上生产
new version, publish version, release notes, changelog, software release, 发版, 版本发布, 新版本, 更新日志, 发布说明, 发新版
roll back, rollback, revert, undo change, go back version, 回滚, 回退, 还原版本, 退回上一版, 撤回改动
ci/cd, continuous integration, pipeline build, jenkins, github actions, devops, 持续集成, 流水线, 持续部署, 自动构建
log, logs, log file, log analysis, log search, 日志, 日志分析, 日志查询, 看日志, 查日志
debug, fix bug, bug, debugging, find bug, bug fix, defect in code, 调试, 程序缺陷, 代码有问题, 漏洞修复
error, exception, crash, stack trace, error message, throws error, bug report, 报错, 错误, 异常堆栈, 崩溃, 闪退, 错误信息, 出错
api, endpoint, rest api, interface call, web service, openapi, 接口, 接口调用, 接口文档, 调接口
api key, access token, token, secret key, credential, 令牌, 密钥, 访问令牌, 凭证, 访问密钥
webhook, callback url, event hook, 回调, 回调地址, 事件回调, 网络钩子
http request, send request, curl, post request, get request, 发请求, 网络请求, 接口请求
refactor, refactoring, clean up code, optimise code, improve code, code optimization, 重构, 代码优化, 优化代码, 代码太乱
explain code, understand code, what code does, code comments, comment code, 解释代码, 代码解释, 看不懂代码, 代码注释, 代码讲解
code completion, autocomplete, copilot, coding assistant, 代码补全, 编程助手, 自动补全, 代码助手
dependency, package manager, npm, pip, library version, install package, 依赖, 依赖包, 装包, 依赖管理, 第三方库
issue tracker, github issue, open issue, bug tracking, file a bug, 缺陷管理, 缺陷跟踪, 问题跟踪
frontend, front end, web page, html, css, vue, react app, 前端, 网页, 网页开发, 页面开发
backend, server side, back end, microservice, 后端, 服务端, 微服务, 后台服务
build website, website builder, web development, landing page, make a site, built website, 建站, 搭网站, 做网站, 网站搭建, 落地页, 官网制作
app development, mobile app, mini program, ios app, android app, 手机应用, 小程序, 移动应用
low code, no-code, nocode, drag-and-drop builder, 低代码, 零代码, 无代码, 拖拽搭建
api documentation, technical documentation, readme, write docs, swagger, 技术文档, 开发文档, 写文档, 接口说明
smart contract, blockchain, solidity, web3, on-chain, 智能合约, 区块链, 链上, 合约地址
scheduled task, cron job, timer job, run every day, recurring job, 定时任务, 计划任务, 定时执行, 每天自动跑, 周期任务
browser automation, headless browser, playwright, selenium, puppeteer, click on page, 浏览器自动化, 自动点击, 网页操作, 操控浏览器
code execution, run code, python sandbox, execute script, code interpreter, ran code, 执行代码, 运行代码, 代码沙箱, 跑代码, 代码执行, 运行脚本
command line, terminal, shell command, bash, run command, console, 命令行, 终端, 执行命令, 控制台, 敲命令
feature flag, gray release, canary release, staged rollout, 灰度, 灰度发布, 功能开关, 金丝雀发布
configuration, config, settings, configure, config file, 配置, 设置, 参数, 配置项, 参数设置
install, installation, setup program, installer, 安装, 装软件, 装上, 安装程序
uninstall, remove software, remove app, 卸载, 卸掉, 删软件
upgrade version, software update, update app, patch update, upgrade, 软件升级, 升级, 版本更新, 系统更新, 打补丁
message queue, kafka, rabbitmq, event stream, 消息队列, 消息中间件, 队列积压
short link, url shortener, shorten link, short url, 短链接, 短链, 缩短网址, 链接缩短
# operations
server, host machine, vps, cloud server, ecs, virtual machine, vm, ec2, 服务器, 主机, 云服务器, 虚拟机, 云主机
container, docker, pod, docker image, 容器, 容器化, 容器镜像
cluster, kubernetes, k8s, node pool, 集群, 节点, 集群管理, 容器编排
start service, spin up, bring up, launch instance, 启动服务, 开机, 拉起服务, 开实例
stop service, shut down, kill process, terminate instance, power off, 停止服务, 关机, 停机, 停服, 杀进程
monitor, monitoring, observability, keep eye on, surveillance of systems, prometheus, grafana, 监控, 监测, 可观测, 盯着, 巡检, 系统监控
alert, alarm, warning, alerting, went off, 告警, 报警, 预警, 警报, 警告
latency, slow response, lag, response time, too slow, high delay, loading forever, 延迟, 响应慢, 卡顿, 很慢, 响应时间, 转圈, 卡死了
throughput, qps, tps, requests per second, concurrency, 吞吐量, 并发, 并发量, 每秒请求数
network traffic, bandwidth, data usage, traffic volume, 网络流量, 带宽, 流量, 流量使用
disk space, disk, storage space, disk full, hard drive, out of space, 磁盘, 硬盘, 存储空间, 磁盘满了, 空间不足, 磁盘占用
memory usage, ram, out of memory, memory leak, oom, 内存, 内存占用, 内存泄漏, 内存溢出, 爆内存
cpu, cpu usage, processor load, high load, 处理器, 负载高
gpu, graphics card, cuda, compute power, 显卡, 显存, 算力, 图形处理器
ssl certificate, https, tls, certificate expiry, https certificate, 数字证书, 证书过期, 证书到期, 证书续期
dns, domain name, domain resolution, whois, nslookup, buy domain, 域名, 域名解析, 域名注册
network, internet connection, no internet, network down, connectivity, can't connect, connection lost, 网络, 断网, 上不了网, 连不上, 没网, 网断了, 网络故障
ping, packet loss, network speed, speed test, slow internet, 测速, 网速, 丢包, 网速慢, 网络测速, 网络诊断
ip address, ip lookup, my ip, ip location
vpn, remote access, proxy, intranet access, 代理, 远程接入, 内网访问, 远程办公
remote desktop, remote control, teamviewer, ssh, remote login, 远程桌面, 远程控制, 远程登录, 远程连接
load balancing, load balancer, nginx, reverse proxy, api gateway, 负载均衡, 反向代理, 流量转发
scale up, autoscaling, add capacity, scale out, expand capacity, more servers, 扩容, 弹性伸缩, 自动扩容, 加机器, 扩展容量
uptime, health check, is it alive, service availability, availability, system status, 可用性, 健康检查, 在线率, 运行状态, 服务状态, 还活着吗
stress test, load test, performance test, benchmark, 压测, 压力测试, 性能测试, 负载测试, 跑分
cloud cost, cloud bill, cost optimization, cloud spending, aws bill, 云成本, 云账单, 成本优化, 云费用, 上云费用
cloud platform, aws, azure, alibaba cloud, cloud computing, cloud resources, 云平台, 阿里云, 腾讯云, 云计算, 云资源, 云服务
infrastructure as code, terraform, ansible, provisioning, provision resources, 资源编排, 自动化运维, 资源开通, 基础设施编排
trace request, distributed tracing, call chain, apm, 链路追踪, 调用链, 全链路, 链路分析
cache, redis, clear cache, cdn, 缓存, 清缓存, 清理缓存, 缓存刷新
configuration change, change request, change management, maintenance window, 变更, 变更管理, 变更申请, 停机维护
firewall, security group, block ip, open port, waf, 防火墙, 安全组, 端口, 开放端口, 白名单
# security and accounts
log in, login, sign in, logon, can't log in, single sign-on, sso, logged out, 登录, 登陆, 登不上, 登不进去, 单点登录, 进不去系统
log out, sign out, logout, exit account, 退出登录, 登出, 注销登录, 退出账号
register account, sign up, create account, open account, account registration, 注册, 注册账号, 开户, 开通账号, 新建账号
user account, account, username, user profile, account settings, 账号, 账户, 用户名, 帐号, 用户账户, 个人中心
account locked, locked out, account blocked, account suspended, banned, frozen account, 账号被锁, 封号, 被封了, 账号冻结, 解封, 解锁账号
permission, access rights, authorization, access control, grant access, no access, access denied, privilege, user role, 权限, 授权, 访问权限, 开权限, 没权限, 角色权限, 权限管理
vulnerability, security hole, cve, security flaw, exploit, vulnerability scan, 漏洞, 安全漏洞, 漏洞扫描, 弱点
penetration test, pentest, ethical hacking, security testing, red team, 渗透测试, 安全测试, 红队, 攻防演练
encryption, encrypt, decrypt, cipher, cryptography, hash, 加密, 解密, 密码学, 哈希, 加解密
audit, audit log, audit trail, who changed, operation record, 审计, 审计日志, 操作记录, 操作日志, 谁改的, 留痕
virus, malware, trojan, ransomware, antivirus, infected, 病毒, 木马, 杀毒, 恶意软件, 勒索病毒, 中毒了
hacked, cyber attack, intrusion, ddos, hacker, account stolen, break-in, breach, 被黑, 被攻击, 入侵, 网络攻击, 黑客, 盗号, 被盗号
data leak, data breach, privacy leak, leaked, sensitive data, 数据泄露, 泄密, 信息泄露, 隐私泄露, 敏感数据
malicious link, suspicious link, url safety, is link safe, safe website, 恶意链接, 可疑链接, 网址安全, 链接安全吗
threat intelligence, security monitoring, siem, threat detection, ioc, 威胁情报, 安全监控, 威胁检测, 态势感知
content moderation, sensitive words, inappropriate content, nsfw check, content review, 内容审核, 敏感词, 违规内容, 鉴黄, 违禁词, 内容安全
captcha, human verification, slide puzzle, 图形验证码, 人机验证, 滑块验证
face recognition, facial recognition, face id, face match, face detection, 人脸识别, 刷脸, 人脸比对, 人脸检测
# ai tasks
summarise, summarize, summary, abstract, digest, key points, gist, main points, condense, 总结, 摘要, 概括, 提炼, 归纳, 要点, 太长不看, 讲了什么
interpret speech, simultaneous interpretation, real-time translation, interpreter, 同声传译, 口译, 实时翻译, 同传
detect language, what language, language identification, 语种识别, 语言检测, 这是什么语言, 哪国语言
rewrite, rephrase, paraphrase, reword, rewrote, say differently, 改写, 换个说法, 重写, 洗稿, 换种表达, 降重
polish text, improve writing, refine wording, make it better, embellish, 润色, 文字优化, 改得更好, 文章润色, 修饰文字
expand text, elaborate, lengthen, make longer, continue writing, 扩写, 续写, 写长一点, 内容扩充, 接着写
shorten text, trim text, make shorter, cut down text, 缩写, 精简, 写短一点, 删减, 压缩文字
write article, write essay, article writing, content writing, blog post, copywriting, wrote article, 写文章, 写作, 文章生成, 写稿, 撰写, 博客文章, 软文
generate image, draw picture, image generation, text to image, drew, make a picture, ai art, illustration, painting, 生成图片, 画图, 文生图, 画一张, 绘图, 作画, 出图, 插画
edit image, photo editing, retouch, photoshop, beautify photo, touch up, 修图, 图片编辑, 美颜, 图像处理, 精修
remove background, cut out, background removal, transparent background, matting, change background, 抠图, 去背景, 换背景, 去底, 透明底, 背景移除
image upscale, enhance image, super resolution, blurry photo, sharpen, restore old photo, 图片放大, 变清晰, 高清修复, 超分, 照片模糊, 老照片修复
image recognition, identify picture, what's in picture, object detection, describe image, image captioning, 图像识别, 识图, 图里是什么, 图片识别, 看图说话, 物体检测, 目标检测
reverse image search, find similar image, search by picture, 以图搜图, 搜图, 找相似图, 图片搜索
ocr, text recognition, extract text, read text image, text from picture, handwriting recognition, 文字识别, 图片转文字, 识别文字, 提取文字, 手写识别, 拍照识字
voice cloning, clone voice, imitate voice, voice changer, 声音克隆, 克隆声音, 音色复刻, 变声, 模仿声音
sentiment, sentiment analysis, emotion detection, positive or negative, tone of comments, 情感分析, 情绪分析, 正面负面, 情感倾向, 情绪识别, 褒贬
classify, categorize, classification, categorise, sort into categories, label text, 分类, 归类, 类别, 分门别类, 文本分类, 打分类
extract information, information extraction, key information, named entity, entity extraction, structured extraction, 信息抽取, 提取信息, 关键信息, 实体识别, 抽取字段, 结构化提取
keyword extraction, extract keywords, key phrases, word frequency, word cloud, 关键词提取, 提取关键词, 词频, 词云, 高频词
embed text, embedding, vectorize, vector database, 向量化, 嵌入, 文本向量, 向量数据库
chatbot, virtual assistant, conversational ai, dialogue bot, ai assistant, talk to ai, chat with me, 聊天机器人, 智能助手, 对话机器人, 智能客服, 陪聊
large language model, llm, gpt, chatgpt, claude, foundation model, 大模型, 大语言模型, 语言模型, 通义千问, 文心一言
prompt, prompt engineering, improve prompt, system prompt, write prompt, 提示词, 提示语, 提示词优化, 提示工程, 写提示词, 咒语
ai agent, multi-agent, agent orchestration, autonomous agent, 智能体, 多智能体, 智能代理, 智能体编排
recommendation, recommend, suggest something, what should i, any good, personalized recommendation, 推荐, 推荐系统, 有什么好的, 哪个好, 求推荐, 种草
plagiarism check, originality check, similarity check, copied content, 论文查重, 抄袭检测, 原创检测, 相似度检测, 重复率
ai detection, ai written, detect deepfake, is it fake, fake image, deepfake, 鉴伪, 深度伪造
generate video, text to video, image to video, video generation, make video, ai video, 生成视频, 文生视频, 图生视频, 视频生成, 做视频
digital human, avatar video, virtual human, talking head, virtual anchor, 数字人, 虚拟人, 虚拟主播, 口播视频, 虚拟形象
generate music, compose music, song generation, ai song, write song, 生成音乐, 作曲, 写歌, 编曲, 音乐创作
3d model, 3d modelling, 3d rendering, model rendering, cad, 三维模型, 建模, 三维建模, 渲染
fact check, verify claim, is it true, rumor, debunk, misinformation, 事实核查, 辟谣, 是真的吗, 谣言, 真假, 求证, fake news, rumour, hoax, 假新闻, 真的吗, 是真是假
logo design, make logo, brand logo, trademark design, 标志设计, 商标设计
name ideas, naming, brand name, slogan, tagline, think up name, 起名, 取名, 命名, 品牌名, 口号, 广告语
text comparison, diff, compare documents, document difference, what changed, 文本对比, 文档比对, 找不同, 改了哪里, 差异比对
role play, roleplay, character chat, pretend to be, 角色扮演, 扮演, 人设, 假装你是
read webpage, summarize webpage, url content, webpage extraction, link content, 网页总结, 网页内容, 链接内容, 网页解析, 读取网页
# media processing
crop, trim image, cut image, crop photo, aspect ratio, 裁剪, 裁切, 剪裁, 裁图, 宽高比
resize, change size, image size, change dimensions, scale image, thumbnail, 调整尺寸, 改尺寸, 改大小, 缩放, 缩略图, 调大小
rotate image, flip image, turn image, mirror image, upside down, 旋转图片, 翻转, 镜像, 图片反了, 转个方向
watermark, add watermark, add logo overlay, 水印, 加水印, 打水印, 防盗图
remove watermark, watermark removal, erase watermark, erase object, inpainting, 去水印, 消除水印, 擦除, 去掉水印, 物体消除
audio editing, cut audio, trim audio, mix audio, audio clip, 音频剪辑, 音频编辑, 剪音频, 混音, 音频裁剪, 剪辑音乐
noise reduction, denoise, remove noise, background noise, vocal separation, isolate vocals, 降噪, 去噪, 去杂音, 人声分离, 提取人声, 消除噪音
video editing, cut video, edit video, trim video, video clip, splice video, 视频剪辑, 剪视频, 视频编辑, 剪辑, 剪片子, 视频拼接
video download, download video, save video, grab video, 视频下载, 下载视频, 保存视频, 视频解析
extract audio, audio from video, video to mp3, video to audio, 提取音频, 视频转音频, 分离音轨
gif, animated image, make gif, sticker, meme, emoji pack, 动图, 表情包, 动态图, 斗图, 梗图
id photo, passport photo, headshot, profile picture, 证件照, 一寸照, 头像, 寸照, 换底色
filter effect, style transfer, cartoonize, photo filter, turn into anime, 滤镜, 风格迁移, 漫画化, 动漫风, 转卡通
color palette, color scheme, colour matching, pick color, hex color, 配色, 调色, 色板, 取色, 颜色搭配
live stream, livestream, go live streaming, broadcast live, 直播, 直播间, 开播, 推流, live broadcast, live streaming, 看直播, 现场直播
collage, stitch photos, photo grid, combine photos, 拼图, 照片拼接, 拼长图, 九宫格
# marketing
advert, advertisement, ad, ads, run ads, ad placement, sponsored, commercials, 广告, 投放, 广告投放, 打广告, 投流
ad spend, roi, return on investment, roas, cost per click, campaign effect, 投放效果, 投产比, 投资回报率, 广告花费, 推广效果, 回报率
audience, target audience, target group, targeting, who to reach, 受众, 目标人群, 目标客群, 人群定向, 人群包
seo, search ranking, search optimization, google ranking, rank higher, 搜索优化, 搜索排名, 搜索引擎优化, 网站排名, 收录
keyword research, search keywords, search volume, keyword planning, 关键词, 关键词分析, 搜索词, 搜索量, 选词
newsletter, email campaign, mailing list, email marketing, edm, 邮件营销, 简报, 电子报, 订阅邮件, 营销邮件
social media post, post on social, tweet, publish post, instagram post, 发帖, 社交媒体, 发朋友圈, 发微博, 发小红书, 推文, 发动态
followers, thumbs up, gain followers, subscribers, number of likes, post likes, 点赞, 粉丝, 涨粉, 关注数, 粉丝量, 获赞
repost, reshare, retweet, share post, 转发量, 转帖, 转评赞, 转载
influencer, kol, creator, content creator, blogger, vlogger, 网红, 达人, 博主, 意见领袖, 主播带货
brand image, brand, branding, brand awareness, 品牌, 品牌形象, 品牌知名度, 品牌推广
public opinion, brand monitoring, social listening, online reputation, what people say, 舆情, 舆情监测, 口碑, 网上怎么说, 舆论, 风评
marketing copy, ad copy, product copy, promotional text, sales copy, 文案, 广告文案, 营销文案, 宣传语, 商品文案, 种草文案
short video, tiktok, douyin, reels, youtube shorts, 短视频, 抖音, 快手, 视频号, youtube, vlog, 刷视频, 小视频
wechat official account, public account, official account article, 公众号, 微信公众号, 公众号文章, 订阅号
website visits, page views, website traffic, visitor count, web analytics, pv, 访问量, 浏览量, 网站流量, 网站访客, 访客数, 站点统计
content planning, content calendar, editorial calendar, topic ideas, post ideas, 选题, 内容策划, 内容日历, 选题策划, 发什么内容
video script, storyboard, shooting script, screenplay, short video script, 视频脚本, 分镜, 拍摄脚本, 剧本, 短视频脚本
marketing plan, marketing strategy, go to market, growth strategy, 营销方案, 营销策略, 推广方案, 市场策略, 增长策略
customer acquisition, attract customers, user growth, bring in users, acquire users, 拉新, 引流, 用户增长, 获取用户, 招揽客户
private traffic, community operation, community management, engage members, 私域, 社群, 社群运营, 用户运营, 促活
press release, news release, media coverage, pr article, public relations, 新闻稿, 公关, 媒体报道, 通稿, 公关稿
exhibition, trade show, expo, event planning, trade fair, 展会, 会展, 博览会, 参展, 展览会
affiliate, referral, invite friends, referral reward, distribution partner, 分销, 推荐有礼, 邀请好友, 裂变, 拉人头
# legal and compliance
lawyer, attorney, legal advice, legal consultation, legal counsel, 律师, 法律咨询, 法务, 法律顾问, 法律援助, solicitor, legal help, 打官司
law, legislation, statute, legal provision, is it legal, is it illegal, 法律, 法规, 法条, 违法吗, 合法吗, 法律条文, 犯法, regulation, illegal, 条例, 违法
lawsuit, sue, litigation, court case, go to court, sued, 诉讼, 打官司, 起诉, 告他, 上法院, 应诉, law court, court trial, 法院, 开庭, 案件, 官司
court judgment, case law, precedent, verdict, similar cases, ruling, 判决书, 判例, 裁判文书, 类案, 案例检索, 怎么判
legal document, indictment, complaint letter, lawyer letter, legal notice, 法律文书, 起诉状, 律师函, 诉状, 答辩状
compliance, regulatory compliance, compliance check, regulatory requirements, 合规, 合规检查, 监管要求, 合规审查, 符合规定吗
privacy policy, gdpr, data protection, personal information, privacy compliance, 隐私政策, 个人信息保护, 隐私保护, 数据合规, 隐私合规
terms of service, terms and conditions, user agreement, terms of use, 服务条款, 用户协议, 使用条款, 霸王条款
trademark, brand registration, trademark registration, trademark search, 商标, 商标注册, 商标查询, 注册商标
patent, patent search, invention, prior art, patent application, 专利, 专利检索, 发明专利, 专利申请, 查新
copyright, infringement, intellectual property, piracy, pirated, 版权, 侵权, 知识产权, 著作权, 盗版, 盗图, patent, trademark, 专利, 商标
breach of contract, liquidated damages, default on contract, penalty clause, 违约, 违约金, 不履行合同, 毁约
company information, company lookup, business registration, company registry, due diligence, is company legit, 企业查询, 工商信息, 查公司, 企业信息, 尽调, 尽职调查, 公司靠谱吗
business license, company registration, set up company, register company, incorporate, 营业执照, 注册公司, 工商注册, 开公司, 公司注册
shareholder, ownership structure, equity structure, beneficial owner, 股东, 股权结构, 股权, 实际控制人, 谁是老板
license, qualification, permit, certification, accreditation, 资质, 许可证, 资格证, 资质证书, 牌照
power of attorney, authorization letter, letter of authorization, 授权书, 委托书, 授权委托书
nda, non-disclosure, confidentiality agreement, trade secret, 保密协议, 商业机密, 保密条款, 商业秘密
notary, notarize, notarization, 公证, 公证处, 做公证, apostille, 办公证, 海牙认证
# procurement
inquiry price, request for quotation, rfq, ask price, 询价, 问价, 询价单, 比价采购
erp, sap, enterprise resource planning, erp system, 企业资源计划, 进销存, 用友, 金蝶
# manufacturing and iot
device, equipment, machine, apparatus, machinery, hardware, 设备, 机器, 装置, 机台, 硬件
iot, internet of things, connected device, smart device, 物联网, 智能设备, 联网设备, 智能硬件
online status, device status, device offline, is device online, 设备状态, 设备离线, 设备在线, 掉线, 设备运行情况
control device, remote operation, device control, operate device, send command, 设备控制, 远程操控, 控制设备, 下发指令, 远程操作
temperature reading, overheating, temperature sensor, temperature monitoring, 温度, 温度过高, 过热, 测温, 发烫, 温度传感器, 温度监测
pressure, vibration, vibrating, pressure reading, 压力值, 震动, 振动, 压力监测
equipment fault, machine fault, fault code, fault diagnosis, machine broke down, machine breakdown, 设备故障, 故障码, 故障诊断, 机器坏了, 趴窝, 设备报修
maintenance, upkeep, servicing, preventive maintenance, routine maintenance, 保养, 维护, 设备维护, 维保, 定期保养, 点检
predictive maintenance, remaining useful life, failure prediction, fault prediction, 预测性维护, 故障预测, 剩余寿命, 寿命预测
work order, maintenance order, production order, job order, 维修工单, 生产工单, 作业单, 任务单
quality control, quality inspection, qc, quality check, product inspection, 质检, 质量检测, 品控, 质量控制, 品质, 产品检验
defect, defective product, faulty product, defect detection, scratch, flawed, reject rate, 次品, 缺陷, 瑕疵, 不良品, 缺陷检测, 不良率, 残次品
pass rate, first pass yield, good product rate, yield rate, 良率, 合格率, 良品率, 直通率
production line, assembly line, workshop floor, shop floor, 产线, 生产线, 车间, 装配线
production schedule, production planning, aps, manufacturing schedule, 排产, 生产计划, 生产排程, 排单
factory, manufacturing, mes, manufacturing plant, 工厂, 厂子, 制造, 生产制造, 厂区
production volume, units produced, production capacity, production output, 产量, 产能, 生产了多少, 出货量, 生产数量
plc, scada, industrial control, modbus, opc, 工控, 工业控制, 上位机, 组态, 可编程控制器
robot arm, industrial robot, robotics, agv, robotic, 机械臂, 工业机器人, 机械手, 搬运机器人
digital twin, simulation, simulate, virtual model, 数字孪生, 仿真, 模拟仿真, 虚拟仿真
firmware, firmware update, ota update, flash firmware, 固件, 固件升级, 刷机, 远程升级
downtime, oee, machine utilization, idle machine, equipment efficiency, 停机时间, 设备利用率, 稼动率, 设备效率, 停工
work safety, safety hazard, safety inspection, accident prevention, helmet, 安全生产, 隐患排查, 安全检查, 安全帽, 安全隐患
access card, door access, entrance guard, unlock door, 门禁, 门禁卡, 刷卡开门, 门禁系统
drone, uav, unmanned aircraft, aerial survey, 无人机, 航拍, 无人飞机
traceability, product tracing, origin tracing, batch tracing, batch number, 溯源, 追溯, 产品追溯, 批次, 批次追溯
gps location, vehicle tracking, geofence, asset tracking, 定位, 车辆定位, 电子围栏, 位置追踪
# energy
energy saving, save power, save energy, energy efficiency, reduce consumption, 节能, 省电, 能效, 节约用电, 降低能耗
power outage, blackout, power cut, no electricity, power failure, lights went out, 停电, 断电, 跳闸, 没电了, 电力故障
solar power, photovoltaic, solar panel, pv plant, 光伏, 太阳能, 太阳能板, 光伏发电, 光伏电站, renewable energy, wind power, 可再生能源, 风电, 清洁能源
wind power, wind turbine, wind farm, 风电, 风力发电, 风机, 风电场
power generation, power plant, generated electricity, generating capacity, 发电, 发电量, 电厂, 发了多少电
power grid, grid load, electric load, substation, transformer, grid dispatch, 电网, 电力负荷, 变电站, 配电, 变压器, 电力调度
electricity price, power tariff, peak valley price, spot market, 电价, 峰谷电价, 电力交易, 分时电价
charging station, charging pile, ev charging, charger, charge car, 充电桩, 充电站, 充电, 电动车充电, charge my car, charging point, supercharger, 给车充电, 汽车充电
carbon emission, carbon footprint, carbon neutral, greenhouse gas, esg, 碳排放, 碳足迹, 碳中和, 双碳, 减排, carbon emissions, co2 emissions, emissions, 低碳
meter reading, smart meter, electricity meter, water meter, gas meter, 抄表, 电表, 水表, 燃气表, 智能电表, electricity usage, energy usage, electricity consumption, 用电量, 能耗
natural gas, gas supply, gas leak, gas bill, 天然气, 燃气, 煤气, 燃气费, 漏气
water usage, water supply, water leak, water bill, 用水量, 供水, 漏水, 水费
`;
