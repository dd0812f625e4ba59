/** Customers, sales, people, documents, tickets, projects, data, files. */
export const OFFICE = `
# crm and customers
sales opportunity, pipeline, sales funnel, business opportunity, 商机, 销售机会, 销售漏斗, 赢单, 打单
follow up, follow-up, chase up, check back, get back to, touch base, 跟进, 回访, 跟单, 催一下, 持续跟踪
crm, customer relationship, customer management, client management, 客户管理, 客户关系, 客户关系管理
customer visit, client visit, site visit, call on client, 拜访, 客户拜访, 上门拜访, 外勤, 跑客户
close deal, sign deal, win deal, closed won, 成交, 成单, 签单, 拿下订单, 转化成交
salesperson, sales rep, account manager, sales team, 销售员, 业务员, 销售代表, 客户经理, 销售团队
customer segmentation, segment customers, customer group, customer tiers, rfm, 客户分群, 客户分层, 客户细分, 人群分层, 客户分级
cold call, outbound call, telemarketing, call out, auto dialer, 外呼, 电销, 陌生拜访, 电话销售, 打电话推销
renew contract, contract renewal, subscription renewal, renewal, 续约, 续签, 续费, 到期续
# sales figures and reports
report, write-up, summary report, 报告, 报表, 汇报, 汇报材料
weekly report, week summary, weekly summary, weekly update, this week's work, 周报, 周总结, 本周工作, 每周汇报, 一周小结
daily report, daily summary, end-of-day report, 日报, 每日汇报, 今日工作, 当天总结
monthly report, month-end report, monthly summary, 月报, 月度报告, 月度总结, 月底汇报
annual report, year-end summary, yearly review, year-end report, 年报, 年终总结, 年度报告, 年度总结
dashboard, cockpit, data screen, big screen, overview panel, 仪表盘, 看板, 数据大屏, 驾驶舱, 数据看板
kpi, okr, key indicator, performance target, metric, 关键指标, 绩效指标, 业绩指标, 考核指标
chart, graph, bar chart, pie chart, line chart, histogram, visualization, visualise, plot data, 图表, 画图表, 柱状图, 饼图, 折线图, 可视化, 统计图
statistics, stats, tally, count up, statistical, 统计, 统计数据, 汇总, 数一下, 算总数
trend, trending up, going up, going down, upward trend, 趋势, 走势, 走向, 变化情况
month on month, mom growth, versus last month, compared last month, sequential growth, 环比, 比上个月, 上月相比, 和上月比
forecast, predict, projection, prediction, estimate future, 预测, 预估, 预判, 推算, 未来走势
data analysis, analyse data, analyze data, analytics, crunch numbers, data insight, 数据分析, 分析数据, 数据洞察, 跑数, 看数据
ranking, leaderboard, top ten, best seller, top performers, rank list, 排名, 排行, 排行榜, 榜单, 前十, 谁最多
growth rate, increase rate, grew, growth, 增长率, 增速, 增幅, 涨了多少
decline, fell, dropped off, sales drop, 下降, 下滑, 跌了, 变少, 掉了
comparison, compare, versus, contrast, side by side, difference between, 对比, 比较, 哪个更, 区别, 差异
business intelligence, bi report, bi tool, self-service analysis, 商业智能, 经营分析, 自助分析, 经营报表
drill down, by region, by department, by category, data breakdown, 下钻, 拆解, 分地区, 分部门, 明细, 按维度
anomaly, outlier, abnormal, unusual, out of ordinary, spike, 异常, 异常值, 不正常, 突增, 波动异常, 不对劲
market research, industry report, market analysis, market survey, 市场调研, 市场分析, 行业报告, 行业研究, 行研
questionnaire, survey, poll, feedback form, 问卷, 调查问卷, 问卷调查, 投票, 调研表
# hr
employee, staff, staff member, personnel, workforce, colleague, coworker, 员工, 职员, 同事, 雇员, 职工
hr, human resources, personnel department, people team, 人力资源, 人事, 人事部, 人力
leave request, ask for leave, take leave, day off, time off, annual leave, sick leave, pto, vacation days, 请假, 休假, 年假, 病假, 事假, 调休, 请个假, 假期申请
leave balance, remaining leave, vacation balance, days off left, 假期余额, 剩余年假, 还剩几天假, 年假余额, 剩几天假
recruitment, recruit, hire, hiring, talent acquisition, headcount filling, staffing, 招聘, 招人, 招募, 用人, 猎头, recruiter, headhunter, candidate, talent search, 人才
resume, cv, curriculum vitae, 简历, 个人简历, 求职简历, 履历, cover letter, 求职信, 改简历
candidate, applicant, job applicant, 候选人, 应聘者, 求职者, 面试者
job interview, interview, interview questions, mock interview, 面试, 面试题, 模拟面试, 面谈, interview prep, 面试准备, 面试技巧
job description, role description, job posting, job requirements, 岗位描述, 职位描述, 岗位职责, 招聘启事, 任职要求
job search, find job, job hunting, vacancy, job opening, 找工作, 求职, 职位, 岗位, 在招吗, 跳槽, job, work vacancy, find a job, hiring, employment, vacancies, 工作机会, 招聘, 就业
clock in, attendance, clock out, punch in, time card, late for work, timekeeping, 考勤, 打卡, 签到, 迟到, 早退, 缺卡, 旷工, 补卡
overtime, work late, extra hours, overtime pay, 加班, 加班费, 加班时长, 通宵干活
onboarding, new hire, new employee, first day, induction, 入职, 新员工, 新人, 入职手续, 报到
resignation, resign, quit job, offboarding, leave company, handover, 离职, 辞职, 辞呈, 不干了, 离职手续, 交接, quit my job, hand in notice, 跳槽, 辞职信
layoff, laid off, dismiss employee, fire employee, redundancy, severance, 裁员, 辞退, 开除, 解雇, 被裁, 遣散费, fired, 被辞退, 失业, 被炒
business trip, work trip, travel request, corporate travel, 出差, 差旅, 出差申请, 商旅
staff training, training course, employee training, learn skills, workshop, upskill, 培训, 员工培训, 培训课程, 内训, 技能提升
performance review, appraisal, performance evaluation, assessment of staff, 绩效, 绩效考核, 考评, 绩效评估, 打绩效, 年终考核
employee benefits, perks, welfare, benefits package, 福利, 员工福利, 福利待遇
labor contract, employment contract, employment agreement, 劳动合同, 用工合同, 聘用合同, 劳动协议
org chart, organization structure, reporting line, department structure, 组织架构, 部门架构, 上下级, 汇报关系, 组织结构
shift schedule, roster, rota, work shift, shift planning, duty roster, 排班, 班次, 轮班, 值班表, 倒班, 排班表
working hours, timesheet, man-hours, hours worked, 工时, 工时填报, 工作时长, 干了几小时
personnel file, employee record, employee information, staff record, 人事档案, 员工档案, 员工信息, 花名册
probation, trial period, become regular, confirmation of employment, 试用期, 转正, 转正申请
income certificate, employment certificate, proof of employment, 收入证明, 在职证明, 离职证明, 工作证明
# office
document, word file, docx, doc, 文档, 文稿, 公文
spreadsheet, excel, xlsx, workbook, worksheet, csv, 表格, 电子表格, 工作表, 做表
excel formula, formula, vlookup, pivot table, spreadsheet cell, 公式, 函数公式, 透视表, 数据透视表, 单元格
slides, powerpoint, presentation, ppt, slide deck, pitch deck, pptx, 幻灯片, 演示文稿, 课件, 路演材料
contract review, review contract, contract risk, contract clause, check contract, 合同审查, 审合同, 合同审核, 合同风险, 合同条款, 看下合同
approval, approve, sign off, sign-off, pending approval, greenlight, 审批, 批准, 审核通过, 批一下, 批复, 领导同意, 待审批
approval workflow, approval process, workflow, business process, process automation, bpm, 审批流, 流程, 工作流, 业务流程, 流程引擎
reject request, decline request, sent back, turn down, 驳回, 打回, 不批, 退回, 拒绝申请
signature, e-signature, electronic signature, sign document, sign contract, digital signature, esign, 签名, 签字, 电子签名, 电子签, 签署, 签合同
company seal, official seal, stamp document, company stamp, chop, 盖章, 公章, 用章, 用印, 印章, 电子章
scan document, scanner, scanned copy, scanned pdf, 扫描, 扫描件, 扫描仪, 扫描文件
photocopy, copier, xerox, 复印, 复印件, 影印, 复印机
template, boilerplate, sample document, format sample, 模板, 范本, 样板, 模版, 范文
fill form, fill in, application form, form filling, 填表, 填写表单, 表单, 申请表, 填单
pdf, pdf file, portable document, merge pdf, split pdf
mind map, brain map, brainstorm, concept map, 思维导图, 脑图, 头脑风暴, 导图
flowchart, diagram, process diagram, architecture diagram, 流程图, 架构图, 示意图, 画流程图
office supplies, stationery, supplies requisition, 办公用品, 文具, 领用, 物资领用
visitor registration, guest access, visitor badge, 访客, 访客登记, 来访, 访客预约, 来访登记
seating, workstation, hot desk, desk booking, 工位, 工位预定, 座位安排, 换工位
official notice, announcement, bulletin, circular, internal notice, 公告, 通知公告, 发通知, 通告, 公示
format document, layout, typesetting, formatting, page layout, 排版, 格式调整, 版式, 调格式, 美化文档
speech draft, speech script, talk script, write speech, 演讲稿, 发言稿, 讲话稿, 致辞
archive, filing, put on file, archived records, 归档, 存档, 档案, 档案管理
# tickets and support
technical support, it support, helpdesk, help desk, it desk, computer problem, 技术支持, 服务台, 电脑坏了, 网管
feedback, user opinion, user feedback, 反馈, 意见, 意见反馈, 用户反馈, 吐槽
incident, outage, service down, major incident, system down, site down, 故障, 事故, 宕机, 服务挂了, 系统崩了, 瘫痪, 线上事故
on-call, on call, on duty, pager, duty engineer, 值班, 值班人员, 值守, 谁在值班, 轮值
escalate, escalation, raise priority, escalate issue, 升级处理, 上报, 问题升级, 升级工单, 往上反映
resolve issue, fix problem, troubleshoot, troubleshooting, sort out, diagnose, resolve problem, 排查, 故障排查, 排障, 修好, 怎么解决, 诊断
not working, broken, won't work, doesn't work, malfunction, stopped working, can't use, broke, 坏了, 用不了, 失灵, 不好使, 没反应, 出问题, 不能用
root cause, root cause analysis, postmortem, rca, why it failed, 根因, 根因分析, 复盘, 原因分析, 根本原因, 事故复盘
sla, service level, response time commitment, time limit, 服务等级, 服务级别, 响应时限, 时效承诺
close ticket, resolved ticket, mark resolved, case closed, 关闭工单, 关单, 结单, 办结, 已解决
dispatch work, assign ticket, ticket routing, route ticket, 派单, 工单分配, 分派, 工单派发, 转派
call quality, service quality check, conversation inspection, call quality inspection, 客服质检, 通话质检, 话术质检, 会话质检
# project management
project, project management, program management, 项目, 项目管理, 工程项目
task, work item, action item, assignment, 任务, 工作项, 事项, 活儿
milestone, key date, project stage, checkpoint date, 里程碑, 关键节点, 项目节点, 阶段目标
sprint, iteration, scrum, agile, backlog, stand-up, 迭代, 冲刺, 敏捷, 需求池, 站会
assign task, assign to, delegate, hand over to, who is responsible, assignee, 分配任务, 指派, 派给, 交给谁, 负责人, 谁负责, 经办人
priority, urgent, most important, high priority, asap, urgency, 优先级, 紧急, 加急, 先做哪个, 重要程度, 着急
progress, project status, how far along, completion status, status update, how's it going, 进度, 进展, 做到哪了, 完成情况, 进行到哪, 推进情况
behind schedule, overdue, delayed, past due, slipped, running late, 逾期, 延期, 超期, 拖延, 落后进度, 误期
gantt chart, project plan, project schedule, project timeline, roadmap, 甘特图, 项目计划, 排期, 时间线, 路线图, 项目规划
requirement, user story, feature request, prd, product requirement, requirement document, 需求, 用户故事, 需求文档, 产品需求, 功能需求, 提需求
project risk, risk assessment, risk identification, blocker, 项目风险, 风险评估, 风险识别, 卡住了, 卡点, 阻塞
team collaboration, collaborate, work together, teamwork, co-edit, 协作, 团队协作, 协同, 多人编辑, 协同办公
break down task, task decomposition, split task, wbs, subtask, 任务拆解, 任务分解, 拆任务, 子任务
resource allocation, workload, capacity planning, who has capacity, staffing plan, 资源分配, 工作量, 人力安排, 谁有空, 人员调配
work plan, action plan, make plan, work planning, 工作计划, 行动计划, 工作安排, 制定计划
acceptance, deliverable, sign off delivery, project delivery, 验收, 交付, 交付物, 项目交付, 项目验收
retrospective, lessons learned, project review, look back, 回顾, 项目复盘, 经验总结, 项目总结
product manager, product design, product planning, 产品经理, 产品设计, 产品规划
prototype, wireframe, mockup, ui design, interface design, figma, 原型, 原型图, 界面设计, 线框图, 设计稿
# e-mail and chat
reply email, respond to email, answer email, reply to, 回邮件, 回复邮件, 回信, 邮件回复
forward email, cc, bcc, forward message, 转发, 抄送, 转发邮件, 密送
attachment, attach file, attached, enclosed file, 附件, 添加附件, 邮件附件, 附上
direct message, instant message, chat message, slack, send message, text someone, 发消息, 即时通讯, 私信, 发个信息, 钉钉, 飞书, 企业微信
mass send, bulk send, broadcast message, mass mailing, send everyone, 群发, 批量发送, 广播, 发给所有人
call recording, call transcript, recorded call, 通话录音, 录音, 电话录音, 通话记录
# knowledge
knowledge base, wiki, internal documents, knowledge management, confluence, document library, 知识库, 文档库, 知识管理, 企业知识, 内部资料
company policy, regulation, internal rules, handbook, company rules, 公司制度, 规章制度, 规定, 员工手册, 公司政策, 制度规定
document search, search documents, full-text search, retrieve documents, find in documents, 文档检索, 全文检索, 资料检索, 查资料, 文档搜索, 翻资料
semantic search, vector search, rag, retrieval augmented, similarity search, 语义检索, 向量检索, 语义搜索, 检索增强, 知识问答
literature search, academic paper, research paper, journal article, arxiv, scholarly, 论文, 文献, 文献检索, 学术论文, 期刊, 查文献, thesis, dissertation, scholar, 毕业论文
citation, reference list, bibliography, cite source, 引用, 参考文献, 出处, 引文, 文献格式, 引用文献, 文献引用
web scraping, crawler, scrape website, crawl, fetch webpage, 爬虫, 网页抓取, 抓取网页, 爬数据, 爬取, 采集网页
specification, industry standard, national standard, iso, standard document, 规范, 国标, 行业标准, 标准规范, 标准文件
knowledge graph, entity relation, ontology, relationship graph, 知识图谱, 实体关系, 关系图谱, 本体
# data
database, db, mysql, postgres, postgresql, sql server, oracle, mongodb, 数据库, 库表, 数据存储
sql query, sql, query database, run query, select statement, 查数据库, 查库
natural language query, text to sql, ask data, chat with data, nl2sql, 自然语言查询, 问数, 智能问数, 对话查数, chatbi
export data, export, dump out, save as csv, download data, 导出, 数据导出, 导出数据, 导成表格, 倒出来
import data, import, bulk import, load data, upload records, 导入, 数据导入, 批量导入, 录进去, 导进去
clean data, data cleaning, tidy data, cleanse, normalise data, messy data, 数据清洗, 清洗数据, 整理数据, 脏数据, 数据规整, 数据预处理
merge tables, combine data, join tables, combine files, consolidate, put together, 合并, 合并表格, 拼接, 拼在一起, 整合数据, 合到一起
sort, order by, ascending, descending, arrange in order, 排序, 升序, 降序, 从大到小, 从高到低, 排个序
filter, screen out, narrow down, only those, filter out, 筛选, 过滤, 挑出, 筛出来, 只看, 按条件筛
duplicate, deduplicate, remove duplicates, dedupe, repeated records, same twice, 去重, 重复, 重复数据, 查重, 删重复, 重复项
schema, table structure, data model, table design, data dictionary, field definition, 表结构, 数据模型, 建表, 数据字典, 字段, 表设计
restore, recover, get back data, undelete, lost data, lost file, data recovery, 恢复, 还原, 找回, 数据恢复, 误删, 找回来
data entry, enter data, record data, key in, register entry, 录入, 数据录入, 录数据, 填数据
data migration, migrate data, move database, transfer data, 数据迁移, 迁移, 搬库, 数据搬迁, 换数据库
data sync, synchronize, synchronise, sync, replicate, keep in sync, 同步, 数据同步, 同步一下, 实时同步, 复制同步
etl, data pipeline, data integration, data ingestion, data warehouse, data lake, 数据集成, 数据管道, 数据仓库, 数仓, 数据湖, 数据接入
data quality, data validation, validate data, check data, data accuracy, 数据质量, 数据校验, 核对数据, 数据对不上, 校验
data masking, anonymize, desensitize, redact, hide personal data, 数据脱敏, 脱敏, 匿名化, 打码隐私, 去标识化
insert record, add record, create record, new entry, add row, 新增记录, 插入数据, 添加记录, 加一条, 新增一条
update record, modify record, edit record, change record, amend, 更新记录, 修改记录, 改数据, 编辑记录, 改一条
delete record, remove entry, erase data, delete row, 删除记录, 删数据, 清除数据, 删一条
slow query, query optimization, database index, sql tuning, 慢查询, 索引优化, 查得慢
missing value, null value, blank cells, empty values, incomplete data, 缺失值, 空值, 补全数据, 数据缺失, 空白单元格
data annotation, label data, data labeling, tagging data, training data, 数据标注, 打标签, 标注, 打标, 训练数据
open data, public dataset, dataset, data set, 数据集, 开放数据, 公开数据, 公共数据, public records, government statistics, census data, 政府数据, 统计数据
correlation, regression analysis, statistical test, hypothesis test, significance, 相关性, 回归分析, 显著性, 假设检验, 相关分析
a/b test, ab test, split test, controlled experiment, 对照实验, 分流实验
machine learning, train model, model training, fine-tune, deep learning, 机器学习, 训练模型, 模型训练, 微调, 深度学习, 炼丹
json, xml, yaml, parse json, format json
timestamp, date format, unix time, epoch, convert timestamp, 时间戳, 时间戳转换, 日期格式, 时间格式
regular expression, regex, pattern matching, 正则, 正则表达式, 字符串匹配
# files
file, local file, file management, file manager, 文件, 文件管理, 本地文件, 文件管理器
folder, directory, subfolder, 文件夹, 目录, 子目录
upload, upload file, put online, push file up, 上传, 传上去, 传文件, 上传文件
download, save to computer, grab file, pull down, 下载, 下载文件, 存到本地, 下下来
rename, rename file, change name, batch rename, change filename, 重命名, 改名, 批量改名, 改文件名, 换名字
move file, relocate, drag to folder, transfer to folder, 移动文件, 挪到, 移到, 剪切, 换目录
copy file, make a copy, clone file, copy paste, 复制文件, 拷贝, 拷一份, 复制一份, 复制粘贴
delete file, trash, recycle bin, get rid of, throw away, remove file, 删除文件, 删掉, 回收站, 清理掉, 删了, 移除
compress, zip, archive files, shrink file, reduce size, compress file, 压缩, 压缩包, 减小体积, 文件太大, 压小
decompress, unzip, extract archive, unpack, unrar, 解压, 解压缩, 解包, 打开压缩包
convert format, file conversion, format conversion, convert to pdf, word to pdf, transcode, 格式转换, 转格式, 转换格式, 转码
cloud storage, cloud drive, google drive, dropbox, onedrive, netdisk, 云盘, 网盘, 云存储, 云端, 百度网盘, 对象存储
share file, share link, file sharing, send file, 分享文件, 共享, 文件共享, 分享链接, 发文件
find file, search file, where is file, locate file, can't find file, 找文件, 文件搜索, 搜文件, 文件在哪, 文件不见了
list files, list directory, folder contents, what files, 列出文件, 文件列表, 有哪些文件, 目录列表, 浏览目录
read file, open file, view file, file contents, preview, 读取文件, 打开文件, 查看文件, 文件内容, 预览
write file, save file, create file, save to disk, 写入文件, 保存文件, 新建文件, 存成文件, 存盘
version history, previous version, file versions, version control, 历史版本, 版本记录, 版本管理, 旧版本, 版本控制, 改动记录
organize files, tidy folder, sort files, clean up desktop, 整理文件, 文件分类, 文件整理, 桌面太乱, 文件归类
encrypt file, password protect, lock file, 文件加密, 加密文件, 设密码保护, 文件上锁
`;
