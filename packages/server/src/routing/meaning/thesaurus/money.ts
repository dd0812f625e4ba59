/** Accounts, cards, payments, loans, insurance, tax. */
export const MONEY = `
# bank accounts
bank account, open account, open bank account, new account, checking account, current account, 银行账户, 开户, 开卡, 银行户头, 办卡开户, 账户
account balance, balance, how much left, available funds, money in account, how much money, 余额, 账户余额, 卡里多少钱, 还剩多少钱, 可用余额, 卡上还有多少
close account, delete account, terminate account, cancel account, 销户, 注销账户, 注销账号, 关闭账户, 注销, 销卡, deactivate account, 销号, 账号注销, 停用账号
account frozen, account blocked, account locked, account suspended, account restricted, 账户冻结, 账户被冻结, 账号被封, 账户锁定, 冻结, 账户受限, 被冻结了
freeze account, block account, lock my account, stop all transactions, 冻结账户, 锁定账户, 封账户, 止付
unfreeze account, unlock account, unblock account, restore account, 解冻, 解冻账户, 解锁账户, 解封, 恢复账户
account number, bank account number, iban, routing number, sort code, swift code, 账号, 银行账号, 卡号, 联行号, 行号, 开户行号
bank branch, nearest bank, bank near me, bank location, opening bank, 银行网点, 附近银行, 最近的银行, 支行, 开户行, 哪里有银行
online banking, mobile banking, internet banking, banking app, 网银, 手机银行, 网上银行
joint account, shared account, 联名账户, 共同账户
child account, kids account, account for child, underage account, 子女账户, 儿童账户, 亲情账户, 亲属卡
age limit, how old must, minimum age, under 18, 年龄限制, 最低年龄, 未成年, 多大可以
supported countries, country support, available in country, 支持国家, 支持哪些国家
# cards
bank card, debit card, savings card, payment card, 银行卡, 储蓄卡, 借记卡, 卡片
credit card, charge card, visa card, mastercard, apply credit card, 信用卡, 贷记卡, 办信用卡, 申请信用卡, 信用卡申请
lost card, card lost, misplaced card, lose card, can't find card, report lost, 卡丢了, 银行卡丢失, 挂失, 卡不见了, 遗失, 丢卡, 找不到卡, 补办挂失
stolen card, card stolen, stole my card, stolen wallet, 卡被偷, 银行卡被盗, 卡被盗, 钱包被偷, 被偷了
card blocked, block card, freeze card, lock card, card frozen, suspend card, 锁卡, 冻结银行卡, 卡被锁, 停卡, 卡冻结, 卡被冻结
activate card, card activation, enable card, start using card, 激活卡, 卡激活, 开卡激活, 银行卡激活, 卡片启用, 启用卡片
card expire, card expiring, card expires soon, card expiry, expired card, card expiration, 卡过期, 银行卡到期, 卡快到期, 卡有效期, 换卡到期
replacement card, new card, reissue card, replace card, renew card, 补卡, 换卡, 补办卡, 重新办卡, 新卡, 换新卡
card swallowed, machine kept card, card stuck atm, atm ate card, card retained, 吞卡, 卡被吞了, 取款机吞卡, 卡被机器吃了, 卡卡住了
contactless, tap to pay, contactless not working, tap card, nfc payment, 非接触支付, 闪付, 感应支付, 碰一碰, 挥卡, 免密闪付
virtual card, disposable card, digital card, one-time card, temporary card, 虚拟卡, 一次性卡, 电子卡, 数字卡, 临时卡
card not working, card declined, card doesn't work, card rejected, card won't work, 卡用不了, 刷不了卡, 刷卡失败, 卡不能用, 卡坏了, 卡失效
damaged card, broken card, bent card, snapped card, chip damaged, 卡损坏, 卡折了, 卡断了, 消磁, 芯片坏了
card delivery, card arrival, card hasn't arrived, card in mail, waiting for card, 卡片寄送, 卡还没到, 卡寄到哪, 卡什么时候到, 制卡进度, 卡片邮寄
link card, bind card, add card, connect card, card linking, 绑卡, 绑定银行卡, 添加银行卡, 关联银行卡
unlink card, remove card, unbind card, delete card, 解绑, 解绑银行卡, 解除绑定, 删除银行卡
physical card, plastic card, order card, request a card, get a card, 实体卡, 申请卡, 办卡, 领卡
card acceptance, pay by card, where card accepted, accept card, 哪里能刷卡, 可以刷卡吗, 支持刷卡, 受理范围
visa or mastercard, card type, card network, american express, unionpay, 卡类型, 卡种, 银联, 卡组织
supplementary card, additional card, second card, extra card, card for spouse, 附属卡, 副卡, 附卡, 多张卡
card annual fee, annual fee, yearly fee, waive annual fee, 年费, 免年费, 信用卡年费, 卡年费
compromised card, card details leaked, card information stolen, someone using card, card cloned, 卡信息泄露, 盗刷, 被盗刷, 有人用我的卡, 卡被复制
# pin and passcode
pin, pin number, card pin, pin code, 卡密码, 银行卡密码, 取款密码, 交易密码
change pin, reset pin, new pin, set pin, update pin, 改密码, 修改取款密码, 重置密码, 设置密码, 修改密码, 换密码
pin blocked, wrong pin, pin locked, too many attempts, entered wrong pin, unblock pin, 密码锁定, 密码输错, 密码错误, 输错太多次, 密码被锁
forgot passcode, forgot password, lost password, forgotten pin, can't remember password, forgot pin, 忘记密码, 密码忘了, 找回密码, 不记得密码, 密码想不起来, password reset, reset password, change password, forgotten password, 重置密码, 改密码, 修改密码
verification code, otp, one-time password, sms code, security code, 验证码, 短信验证码, 动态码, 校验码, 收不到验证码, 动态口令, two-factor, 2fa, mfa, authenticator, 双因素, 二次验证, 多因素认证
cvv, card security code, back of card, cvc, 安全码, 卡背面三位数, 卡后三码
fingerprint payment, face id payment, biometric, face payment, 指纹支付, 刷脸支付, 人脸支付, 刷脸
# cash and atm
atm, cash machine, cashpoint, cash dispenser, nearest atm, 取款机, 提款机, 自动柜员机, 自助银行, withdraw cash, 自动取款机, 取现金, 取钱
withdraw cash, cash withdrawal, take out cash, take out money, withdrew, get cash, 取现, 取钱, 取款, 提现, 提款, 取现金
withdrawal failed, cash withdrawal declined, atm didn't give, no cash out, couldn't withdraw, 取款失败, 取不出钱, 没吐钱, 提现失败, 取不了钱
wrong cash amount, atm short cash, less cash, incorrect cash received, 金额不对, 少吐钱, 取款少了, 现金少了, 金额错误
withdrawal not recognised, unknown cash withdrawal, didn't withdraw, unrecognized withdrawal, 不是我取的, 陌生取款, 未知取款, 没取过钱
pending withdrawal, withdrawal still pending, withdrawal processing, 提现中, 提现处理中, 取款处理中, 提现没到账
withdrawal limit, atm limit, daily withdrawal limit, how much withdraw, 取款限额, 提现额度, 取现限额, 每天取多少, 能取多少
deposit cash, pay in cash, put in cash, cash deposit, make a deposit, 存钱, 存款, 存现金, 存进去, 现金存入
cheque, check deposit, cash a check, bank check, order checks, checkbook, chequebook, 支票, 存支票, 兑支票, 支票本, 支票簿
cash, banknote, coins, notes and coins, physical money, 现金, 现钞, 纸币, 硬币, 零钱
money, funds, 钱, 资金, 款项, 钱款
# top-up
top up, top-up, add money, load money, add funds, recharge account, 充值, 充钱, 充进去, 账户充值, 往里充
top-up failed, recharge failed, top up declined, couldn't top up, 充值失败, 充不了, 充不进去, 充值不成功
top-up pending, top-up not credited, recharge not received, top-up not showing, 充值没到账, 充值未到账, 充了没到, 充值处理中
top-up reverted, top up cancelled, top-up returned, 充值退回, 充值被退, 充值取消, 充值撤回
automatic top-up, auto reload, auto top up, auto recharge, 自动充值, 自动续充, 自动加钱
top-up limit, maximum top-up, 充值限额, 充值上限, 最多充多少
phone credit, airtime, mobile top-up, prepaid phone, phone recharge, 话费, 充话费, 手机充值, 话费充值, 交话费, 充流量
# transfers
transfer, transfer money, send money, wire, sent money, remit, move money, 转账, 汇款, 转钱, 打钱, 打款, 划款, 汇钱
transfer failed, failed transfer, transfer declined, couldn't transfer, transfer rejected, transfer error, 转账失败, 转不出去, 转账不成功, 转不了账, 汇款失败
transfer pending, pending transfer, transfer processing, transfer still pending, 转账处理中, 转账中, 转账待处理, 转账审核中
transfer not received, hasn't received transfer, money hasn't arrived, transfer not arrived, recipient not received, 转账没到账, 对方没收到, 没到账, 未到账, 钱没到, 还没到账
transfer time, transfer timing, how long transfer, when money arrives, 到账时间, 多久到账, 几天到账, 什么时候到账, 转账时间
cancel transfer, recall transfer, undo transfer, reverse transfer, stop transfer, 取消转账, 撤销转账, 撤回转账, 追回转账, 转账撤回
wrong account transfer, sent wrong person, transferred by mistake, wrong recipient, 转错账, 转错人, 打错款, 转错了, 汇错款
beneficiary, payee, transfer recipient, add payee, new beneficiary, 收款人, 收款方, 受益人, 添加收款人, 对方账户, 收款账户
receive money, get paid, incoming payment, receive transfer, 收钱, 收款码, 到账, 收到转账, 收款通知
request money, request payment, ask for money, payment request, 请款, 要钱, 催对方付款, 发起收款
international transfer, overseas transfer, wire abroad, swift transfer, send money abroad, remittance, 跨境汇款, 国际汇款, 境外汇款, 海外汇款, 往国外汇钱, 电汇
transfer limit, maximum transfer, daily transfer limit, 转账限额, 转账额度, 最多转多少, 单日限额, 单笔限额
transfer between accounts, own accounts, move to savings, internal transfer, 账户互转, 本人账户互转, 行内转账, 内部转账
split bill, split the cost, share expenses, go dutch, 分账, 平摊, 分摊, 拼账, split the bill, share the bill, bill splitting, 分摊费用
lend money, lent, borrow from friend, iou, owe me, owed money, 借钱给, 借条, 欠我钱, 欠条, 欠钱
# recurring payments
direct debit, automatic deduction, auto debit, auto pay, autopay, automatic payment, 自动扣款, 代扣, 委托扣款, 自动扣费, 自动缴费, 免密支付
standing order, scheduled transfer, recurring transfer, regular payment, recurring payment, 定期转账, 自动转账, 定期付款, 定时转账, 周期付款
subscription, subscribe, subscription fee, monthly subscription, 订阅, 包月, 订阅服务, 连续包月, 月费
cancel subscription, unsubscribe, stop auto renewal, end subscription, turn off renewal, 取消订阅, 取消自动续费, 关闭自动续费, 取消连续包月, opt out, stop emails, stop receiving, 不想再收
auto renewal, automatic renewal, renew subscription, renewal, 自动续费, 续费, 续订, 自动续订, 续期
unknown direct debit, unrecognised direct debit, unauthorized debit, 陌生扣款, 莫名扣费, 乱扣费, 不明扣款, 未知扣款, 莫名其妙扣钱
# fees and exchange
fee, service charge, handling fee, extra charge, surcharge, charged a fee, 手续费, 服务费, 收费, 费用, 附加费, 收不收费, 额外收费
transfer fee, transfer charge, fee on transfer, wire fee, 转账手续费, 汇款手续费, 转账费, 跨行手续费
withdrawal fee, atm fee, cash withdrawal charge, 取款手续费, 提现手续费, 取现费用, 取现手续费
card payment fee, charged for card, card fee, fee card payment, 刷卡手续费, 刷卡费, 用卡费用
top-up fee, top up charge, recharge fee, 充值手续费, 充值费用, 充值收费
late fee, late payment charge, penalty fee, overdue fine, 滞纳金, 违约金, 逾期费, 罚息, 逾期罚款
traffic ticket, pay a fine, parking ticket, penalty notice, 罚款, 罚单, 违章罚款, 交罚款
exchange rate, currency rate, conversion rate currency, forex rate, dollar rate, 汇率, 外汇牌价, 牌价, 兑换率, 美元汇率, 换算汇率
currency exchange, exchange currency, convert currency, change money, currency conversion, foreign exchange, 换汇, 兑换货币, 货币兑换, 换外币, 外币兑换, 货币换算, 购汇, 结汇, exchange rate, dollars to euros, how much in, forex rate, 汇率, 换算货币, 美元换人民币
currency, foreign currency, fiat, supported currencies, dollar, euro, yen, pound sterling, 货币, 币种, 外币, 外汇, 美元, 欧元, 日元, 英镑
renminbi, rmb, yuan, cny, chinese currency, 人民币, 多少人民币
wrong exchange rate, bad exchange rate, exchange rate incorrect, 汇率不对, 汇率错误, 汇率有问题, 汇率算错
exchange fee, currency conversion fee, foreign transaction fee, exchange charge, 换汇手续费, 货币转换费, 境外手续费, 兑换手续费, 跨境手续费
use card abroad, overseas spending, travel notification, foreign country payment, traveling abroad card, 境外用卡, 国外刷卡, 境外消费, 出国用卡, 出境刷卡
us dollar, usd, dollar, buck, 美元, 美金, 美刀
euro, eur, european currency, 欧元, 欧币
japanese yen, yen, jpy, 日元, 日币, 日圆
pound sterling, gbp, british pound, 英镑
hong kong dollar, hkd, hk dollar, 港币, 港元
korean won, krw, south korean won, 韩元, 韩币
chargeback, dispute charge, dispute transaction, contest charge, dispute payment, 拒付, 争议交易, 争议账单, 否认交易, 账单异议
# statements, transactions
transaction, transactions, transaction history, account activity, recent transactions, transaction record, 交易, 交易记录, 交易明细, 交易流水, 账户明细, 资金明细
bank statement, account statement, monthly statement, statement of account, 银行流水, 对账单, 月结单, 打印流水, 银行对账单, 流水单
spending, spent, expenditure, how much spent, spending history, outlay, 花费, 支出, 开销, 花了多少钱, 消费记录, 消费, 花销, 钱花哪了
income, earnings received, money coming in, how much earned, 收入, 收益, 进项, 挣了多少
pending payment, payment pending, payment processing, charge pending, 支付处理中, 待入账, 付款处理中, 支付中, 扣款处理中
declined payment, payment declined, payment failed, payment rejected, unable to pay, can't pay, 支付失败, 付款失败, 付不了款, 扣款失败, 支付被拒, 付不了钱, 支付不了, 交易失败
reverted payment, payment reversed, payment returned, payment cancelled, 付款退回, 支付撤销, 款项退回, 撤销付款, 冲正
duplicate charge, charged twice, double charged, duplicate payment, paid twice, billed twice, 重复扣款, 扣了两次, 重复支付, 多扣钱, 重复收费, 付了两次, 扣两遍
overcharged, charged too much, charged extra, wrong amount charged, 多收钱, 多收费, 扣多了, 收多了, 金额收错
unrecognized charge, unknown charge, unknown transaction, didn't make purchase, payment not recognised, strange charge, 不明交易, 陌生交易, 不是我消费的, 异常交易, 不是我刷的, 可疑交易
money deducted, paid no order, deducted but failed, charged but failed, 付款了没订单, 扣了钱没成功, 钱扣了, 已扣款未成功, 付了钱没反应
balance not updated, balance wrong, deposit not showing, balance incorrect, 余额没更新, 余额不对, 余额没变, 余额有误
insufficient funds, not enough money, low balance, overdraft, overdrawn, 余额不足, 钱不够, 透支, 资金不足, 没钱了
source of funds, where money from, origin of funds, 资金来源, 钱从哪来, 款项来源
minimum balance, minimum deposit, lowest balance, 最低余额, 最低存款, 起存金额
hold on funds, preauthorization, pre-authorization, hold amount, 预授权, 冻结金额, 预扣
security deposit, refundable deposit, deposit back, deposit refund, 押金, 保证金, 退押金, 押金退还
# identity and fraud
identity verification, verify identity, kyc, prove identity, id verification, real-name verification, 身份验证, 实名认证, 身份认证, 实名, 核实身份, 验证身份, 身份核验, authentication, real-name, identity check, 认证, 验明身份
verification failed, unable to verify, can't verify identity, identity rejected, 认证失败, 验证不通过, 认证不了, 实名失败, 验证失败
why verify identity, identity requirement, documents required, required documents, 为什么要认证, 需要什么材料, 需要哪些证件, 认证材料, 所需资料
id card, identity card, identification document, 身份证, 证件, 身份证件, national id, identity document, id number, 办身份证, 补办身份证
facial recognition, face verification, selfie verification, liveness check, 人脸识别, 人脸认证, 刷脸认证, 人脸验证, 活体检测
personal details, update personal information, change phone number, change my name, edit personal details, 个人信息, 修改个人信息, 改手机号, 换手机号, 个人资料, 更换手机号
lost phone, phone stolen, lost my phone, 手机丢了, 手机被偷, 手机不见了, find my phone, where's my phone, ring my phone, misplaced phone, locate device, 找手机, 手机在哪, 查找设备, 查找手机
fraud, scam, swindle, cheated, phishing, scammed, 诈骗, 欺诈, 被骗, 骗子, 骗局, 电信诈骗, 钓鱼, 骗钱, 受骗, conned, swindled, fraud report, 反诈, 钓鱼诈骗
fraud detection, risk control, anti-fraud, risk alert, transaction monitoring, 反欺诈, 风控, 风险控制, 欺诈检测, 风险预警, 交易监控, suspicious transaction, scam, 可疑交易, 诈骗, 骗局
anti-money laundering, aml, money laundering, suspicious funds, 反洗钱, 洗钱, 洗钱风险, 可疑资金, sanctions screening, blacklist check, 制裁名单, 黑名单
account security, account hacked, account stolen, unauthorized access, hacked, 账户安全, 账号被盗, 盗号, 账户被盗, 被黑了
report fraud, report scam, report suspicious, report a crime, 举报诈骗, 报警诈骗, 举报, 反诈
# loans, credit
loan, borrow money, lending, personal loan, borrow, take out loan, 贷款, 借款, 借钱, 借贷, 信贷, 贷, 消费贷, 网贷
loan application, apply for loan, loan approval, loan eligibility, qualify for loan, 贷款申请, 申请贷款, 贷款审批, 能贷多少, 贷款资格, 贷款条件
mortgage, home loan, housing loan, house loan, mortgage payment, 房贷, 按揭, 住房贷款, 月供, 按揭贷款, 购房贷款
car loan, auto loan, vehicle financing, 车贷, 汽车贷款, 贷款买车, 购车贷款
student loan, education loan, 助学贷款, 学生贷款, 教育贷款, 学贷
business loan, corporate loan, financing, raise funds, small business loan, 企业贷款, 融资, 经营贷, 小微贷款, 公司贷款
collateral, guarantee loan, guarantor, secured loan, 抵押, 质押, 担保, 担保人, 抵押物
repay, repayment, pay back, pay off, pay off loan, paid back, 还款, 还钱, 还贷, 偿还, 还清, 还债
early repayment, prepay loan, pay off early, early payoff, 提前还款, 提前还贷, 提前结清, 提前还清
overdue, past due, missed payment, delinquent, 逾期, 拖欠, 欠费, 逾期了, 忘了还款, 违约
debt collection, collect debt, debt collector, dunning, 催收, 追债, 讨债, 催款, 催账
debt, owe, liability, how much owe, 债务, 负债, 欠债, 欠多少, 欠了多少, 外债
installment, instalment plan, pay monthly, pay in installments, 分期, 分期付款, 花呗, 白条, 分期还款, 先买后付, 免息分期, pay later
interest rate, loan rate, apr, apy, annual rate, 利率, 年利率, 年化, 利率多少, 年化利率, 贷款利率
interest earned, bank interest, loan interest, interest charge, how much interest, 利息, 多少利息, 利息多少, 生息, 结息
mortgage calculator, loan calculator, calculate monthly payment, amortization, 贷款计算器, 房贷计算, 月供计算, 等额本息, 等额本金, 算月供
refinance, refinancing, loan restructuring, rollover, 再融资, 转贷, 债务重组, 贷款展期, 借新还旧, 展期
credit score, credit rating, fico, creditworthiness, improve credit score, 信用分, 信用评分, 芝麻信用, 信用评级, 芝麻分
credit report, credit history, credit record, credit check, 征信, 信用报告, 征信报告, 信用记录, 征信记录
credit limit, credit line, spending limit, limit on card, 信用额度, 额度, 授信额度, 信用卡额度, 额度多少, 可用额度
credit limit increase, raise limit, increase limit, higher limit, 提额, 提升额度, 临时额度, 涨额度, 提高额度, 调额
card bill, credit card bill, statement balance, minimum payment, 信用卡账单, 卡账单, 最低还款, 本期账单, 最低还款额
credit card repayment, pay credit card, pay off card, 信用卡还款, 还信用卡, 还卡, 还信用卡账单
billing date, statement date, payment due date, repayment date, 账单日, 还款日, 出账日, 最后还款日, 哪天还款
credit card rewards, card points, card perks, card benefits, card cashback, 信用卡积分, 信用卡权益, 刷卡返现, 卡权益, 信用卡优惠
bankruptcy, insolvency, go bankrupt, liquidation, 破产, 倒闭, 破产清算, 资不抵债
# insurance
insurance, insurance coverage, insure, insured, insurance policy, get insured, 保险, 投保, 参保, 上保险, 买保险, 险种
insurance claim, file a claim, claim insurance, claim payout, 保险理赔, 出险, 报案理赔, 理赔申请, 申请理赔
insurance premium, insurance cost, insurance quote, 保费, 保险费, 保费多少, 保险报价, 保费试算
policyholder, policy number, policy details, insurance policy status, 保单, 保单号, 投保人, 被保险人, 保单状态
car insurance, auto insurance, vehicle insurance, motor insurance, 车险, 汽车保险, 交强险, 商业车险, 车辆保险
health insurance, medical insurance, medical coverage, health cover, 医保, 医疗保险, 健康险, 医疗险, 重疾险, 医保报销, medical cover
life insurance, term life, death benefit, 寿险, 人寿保险, 身故保险金
travel insurance, accident insurance, flight insurance, 旅游险, 意外险, 旅行保险, 航意险, trip insurance, flight delay insurance, 旅意险, 航延险, 境外保险
surrender policy, cancel insurance, terminate policy, policy lapse, 退保, 退保险, 保单失效, 取消保险
insurance renewal, renew policy, renew insurance, 续保, 保险续期, 保单续期
deductible, copay, out-of-pocket, 免赔额, 自付, 起付线, 自费部分
social security, social insurance, state benefits, 社保, 社会保险, 五险一金, 社保缴纳, 交社保, national insurance, social security number, 社保卡, 社保缴费, 社会保障, provident fund, pension contribution, five insurances, 公积金, 养老保险
housing fund, provident fund, housing provident fund, 公积金, 住房公积金, 公积金提取, 提公积金
pension, retirement fund, retirement savings, 401k, rollover 401k, retirement plan, 养老金, 退休金, 养老保险, 养老, 退休储蓄, retirement, retire, retirement age, retired, 退休, 退休年龄
# tax, salary
tax, taxes, taxation, 税, 税费, 税务, 税款, 纳税, tax return, file taxes, tax filing, declare tax, 报税, 申报税, 纳税申报, 汇算清缴, 交税, tax declaration, vat
income tax, personal income tax, withholding tax, 个税, 个人所得税, 所得税, 个税计算, 扣多少税, tax return, file taxes, tax filing, tax refund, 报税, 税务申报, 年度汇算, 退税
tax refund, tax rebate, 退税, 税款退还, 出口退税, 退个税
vat, value-added tax, sales tax, gst, 增值税, 销售税, 进项税, 销项税
tax deduction, tax exemption, tax relief, tax credit, write off, 抵扣, 免税, 减税, 税收优惠, 专项附加扣除, 税前扣除
w2, w-2, tax form, 1099, 税表, 完税证明, 税单, 纳税证明
salary, my salary, wage, pay, paycheck, payroll, 工资, 薪水, 薪资, 薪酬, 月薪, 工钱, payslip, pay stub, pay slip, paid salary, payday, 工资条, 发工资, 到手多少, pay level, how much earn, income level, salary statement, salary slip, 工资单, 薪资单, 薪资明细
payday, pay day, when paid, salary date, when salary arrives, 发薪日, 发工资, 工资发了没, 几号发工资, 工资到账, 啥时候发工资
salary calculation, take-home pay, net salary, after-tax salary, gross salary, 工资计算, 到手工资, 税后工资, 税后收入, 算工资, 实发工资
direct deposit, salary into account, 代发工资, 工资卡, 工资入账, 直接存入
bonus, year-end bonus, incentive pay, 奖金, 年终奖, 绩效奖金, 十三薪
pay raise, get a raise, salary increase, pay rise, 加薪, 涨工资, 调薪, 涨薪, promotion at work, get promoted, raise salary, 晋升, 升职, 升职加薪
leave a tip, gratuity, how much tip, tip calculation, tipping, 小费, 给多少小费, 打赏, tip calculator, 给小费
# savings, investment
savings, saving money, save money, put aside money, savings account, 储蓄, 省钱, 攒钱, 积蓄, 存钱计划, 储蓄账户
term deposit, time deposit, fixed deposit, certificate of deposit, 定期存款, 定存, 存定期, 大额存单
savings goal, money goal, savings plan, piggy bank, savings pot, 储蓄目标, 攒钱目标, 储蓄计划, 存钱罐
invest, investment, wealth management, investing, grow money, 投资, 理财, 理财产品, 投资理财, 财富管理, 钱生钱
investment advice, where to invest, what to invest, portfolio advice, robo-advisor, 投资建议, 理财建议, 投什么好, 资产配置, 怎么理财, 投顾
stock, stocks, shares, equity, share market, 股票, 股份, 炒股, 个股, 港股, 美股
stock price, price of stock, share price, stock quote, ticker, trading price, 股价, 股票价格, 股票行情, 行情, 股票多少钱
stock market, market index, dow jones, nasdaq, s&p 500, market today, 股市, 大盘, 上证指数, 沪指, 道琼斯, 纳斯达克, 大盘走势, 股指, 大盘指数
stock analysis, technical analysis, candlestick, k-line, stock chart, 股票分析, 技术分析, 走势图, 个股分析
stock trading, buy stock, sell shares, trade stocks, buy shares, place trade, 买股票, 卖股票, 股票交易, 买入, 卖出, 建仓, 平仓
gain on stocks, share rise, bullish, 上涨, 涨了, 涨停, 涨幅, 牛市
share fall, bearish, stocks down, 下跌, 跌了, 跌停, 跌幅, 熊市, 暴跌
mutual fund, fund, etf, index fund, fund performance, 基金, 公募基金, 指数基金, 基金净值, 买基金, 净值
bond, treasury bond, government bond, fixed income, 债券, 国债, 企业债, 固定收益
holdings, investment portfolio, my portfolio, my investments, 投资组合, 持仓, 持有的股票, 我的持仓, 仓位
return on investment, investment yield, roi, investment return, rate of return, 收益率, 回报率, 投资回报, 投资收益, 年化收益
dividend, dividend yield, stock dividend, 分红, 股息, 红利, 派息, 股利
securities account, brokerage, broker, brokerage account, 证券账户, 券商, 证券公司, 股票开户, 证券
initial public offering, ipo, go public, new listing shares, 新股, 打新, 首次公开募股, 打新股, 公司上市, 上市公司新股
market capitalization, valuation, pe ratio, market cap, company valuation, 市值, 估值, 市盈率, 市净率
earnings report, quarterly results, company financials, annual report, 财务数据, 业绩报告, 季报, 年报, 业绩公告
gold price, precious metals, silver price, price of gold, 金价, 黄金价格, 黄金, 贵金属, 白银, 金价多少, 黄金多少钱
crude oil price, commodity price, oil price, 大宗商品, 原油, 油价, 原油价格
cryptocurrency, crypto, bitcoin, ethereum, digital currency, token price, 加密货币, 比特币, 数字货币, 虚拟货币, 以太坊, 币价
investment risk, risk tolerance, risk assessment, risk profile, 投资风险, 风险评估, 风险承受能力, 风险测评
financial news, market news, business news, economic news, 财经新闻, 财经资讯, 市场资讯, 财经
inflation, cpi, cost of living, consumer price index, 通胀, 通货膨胀, 物价, 物价上涨, 物价指数
gdp, economic indicator, economic growth, macro data, 国内生产总值, 经济指标, 经济增长, 宏观经济, 宏观数据
property price, house price, real estate price, housing market, 房价, 楼市, 房产价格, 二手房价
financial planning, financial advice, money management, personal finance, financial advisor, 财务规划, 理财规划, 财务管理, 个人理财, 财务顾问
futures, futures contract, futures trading, 期货, 期货合约, 期货交易
options trading, stock options, call option, put option, 期权, 期权交易, 认购期权, 衍生品
# bills, budget
bill, bills, amount due, how much owed, 账单, 我的账单, 应缴金额, 欠费金额, 要交多少
pay bill, bill payment, pay the bill, paid bill, settle bill, 缴费, 交费, 付账单, 缴账单, 缴纳, 交钱
due date, bill due, when due, payment deadline, 到期, 缴费截止, 截止日期, 什么时候交, 什么时候到期, 账单到期
utility bill, electricity bill, water bill, gas bill, utilities, 水电费, 电费, 水费, 燃气费, 煤气费, 交电费, 水电煤, home utilities, power bill, 生活缴费, electricity fee, 电费账单
internet bill, phone bill, cable bill, broadband bill, 网费, 宽带费, 电话费, 话费账单
pay rent, rent, monthly rent, rental payment, 房租, 租金, 交房租, 付房租, rent payment, rent due, 付租
property fee, property management fee, hoa fee, maintenance fee, 物业费, 交物业费
tuition, tuition fee, school fees, 学费, 交学费, 学杂费, student loan, 助学贷款, 缴学费
bill reminder, payment reminder, due reminder, remind to pay, 缴费提醒, 还款提醒, 账单提醒, 付款提醒
budget, budgeting, budget plan, monthly budget, stay within budget, 预算, 预算管理, 做预算, 预算规划, 收支计划, 月预算, 超预算, 预算编制, 花费计划, 预算表
expense tracking, track expenses, spending tracker, log expense, record expense, 记一笔, 记账本, 记录开支, 支出记录, 费用记录, 收支记录
spending analysis, spending breakdown, spending by category, where money went, 消费分析, 支出分析, 支出分类, 消费统计, 账单分析
donate, donation, charity, give to charity, 捐款, 捐赠, 慈善, 公益, 捐钱, fundraiser, good cause, 募捐
net worth, total assets, how rich, 净资产, 总资产, 身家, 家产
afford, can i afford, enough money for, 买得起, 买不买得起, 够不够钱, 负担得起
# payment apps, wallets
payment, pay, paid, make payment, pay for, 支付, 付款, 付钱, 缴款, 付费, 给钱
payment method, payment option, how to pay, ways to pay, accepted payments, 支付方式, 付款方式, 怎么付款, 支付渠道, 怎么付钱, 能用什么付
digital wallet, e-wallet, mobile wallet, wallet balance, 钱包, 电子钱包, 数字钱包, 零钱包
apple pay, google pay, samsung pay, mobile payment, phone payment, 手机支付, 移动支付, 苹果支付, 手机付款
scan to pay, qr payment, payment code, qr code payment, 扫码支付, 付款码, 扫码付款, 二维码支付, 扫一扫付款
payment gateway, payment processing, payment link, payment integration, accept payments, 支付接口, 支付网关, 支付链接, 收款链接, 聚合支付
payment limit, transaction limit, spending cap, 支付限额, 交易限额, 消费限额, 限额
payment success, payment status, did payment go, payment confirmed, payment went through, 支付状态, 付款成功, 支付成功, 付款状态, 付成功没
escrow, payment protection, buyer protection, secured transaction, 担保交易, 买家保障, 交易保障, 第三方托管
settlement, payout to seller, merchant settlement, withdraw earnings, 货款结算, 商家结算, 结款, 卖家提现, 回款结算
transit card, bus card, metro card, travel card, 公交卡, 交通卡, 地铁卡, 一卡通, 乘车码, oyster card, top up card, 交通卡充值
toll, road toll, etc toll, highway fee, 过路费, 高速费, 通行费, toll road, 路桥费, 收费站
parking fee, pay for parking, parking payment, parking charge, 停车费, 交停车费, 停车缴费, 停车收费
alipay, ali pay, ant pay, 支付宝, 支付宝付款, 支付宝收款
wechat pay, weixin pay, wechat payment, 微信支付, 微信付款, 财付通, 微信转账
paypal, pay pal, 贝宝, paypal account, 贝宝支付, 贝宝付款
payment app, payment apps, venmo, zelle, cash app, 支付软件, 付款软件, 转账软件
`;
