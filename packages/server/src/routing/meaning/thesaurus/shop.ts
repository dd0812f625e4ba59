/** Orders, delivery, returns, stock, prices and service of a shop. */
export const SHOP = `
# orders and their life
place an order, place order, create order, submit order, order something, buy online, 下单, 下订单, 提交订单, 拍下, 创建订单, 网购
buy, bought, purchase, 买, 购买, 选购, 购入, 买了, 想买, 我要买, 入手
my order, order details, order record, order history, past orders, previous orders, purchase history, 订单, 我的订单, 订单详情, 订单记录, 历史订单, 购买记录, 买过的
order number, order id, order no, order code, 订单号, 订单编号, 单号是多少
order status, order progress, order state, where's my order, status of order, 订单状态, 订单进度, 订单到哪了, 订单怎么样了, 处理到哪了
cancel order, cancel purchase, withdraw order, don't want it, changed my mind, 取消订单, 撤单, 退单, 不想要了, 不买了, 拍错了, 关闭订单
modify order, change order, edit order, amend order, update order, 修改订单, 改订单, 订单变更, 更改订单, 变更订单
unpaid order, awaiting payment, pending payment order, not paid yet, payment due order, 待付款, 未付款, 未支付, 没付钱, 待支付, 还没付款, 未付订单
confirm order, order confirmation, order confirmed, 确认订单, 订单确认, 核对订单
awaiting shipment, not shipped yet, hasn't shipped, unshipped, still processing, 待发货, 未发货, 没发货, 还没发, 还不发货, 怎么不发货, 备货中
dispatch, ship, send out, shipped, sent out, ship out, deliver goods, 发货, 寄出, 出货, 发运, 何时发货, 啥时候发
rush shipment, hurry up, expedite, speed up delivery, chase up, 催发货, 催单, 催促, 加急, 快点发, 催一下, 催货, 催办
ship date, dispatch date, ship by, handling time, lead time, 发货时间, 发货日期, 什么时候发货, 多久发货, 几天发货, 备货时间
order split, split shipment, partial shipment, shipped separately, multiple packages, 拆单, 分开发货, 分批发货, 部分发货, 分包发货, 分单
merge orders, combine orders, combined shipping, ship together, 合并订单, 合单, 一起发, 合并发货, 合并付款
missing item, item missing, incomplete order, short shipped, not all items, partial order, 少发, 漏发, 少件, 缺件, 少了一件, 没发全, 没收全, 少货
wrong item, not what ordered, wrong product, incorrect item, wrong color, wrong goods, 发错货, 发错了, 错发, 货不对, 寄错了, 收到错的, 颜色发错
damaged item, arrived damaged, arrived broken, broken on arrival, cracked, smashed, crushed, 破损, 损坏, 摔坏, 碎了, 压坏了, 收到坏的, 货损, 破了
defective, faulty, quality problem, poor quality, substandard, 质量问题, 瑕疵, 次品, 有毛病, 不合格, 残次品, 做工差, 质量差
not as described, different from picture, misleading description, doesn't match description, 与描述不符, 描述不符, 货不对板, 和图片不一样, 实物不符, 色差
fake goods, counterfeit, knockoff, not genuine, imitation, replica, 假货, 仿品, 山寨, 高仿, 冒牌, 赝品
genuine, authentic, authenticity, is it real, verify authenticity, original product, 正品, 真假, 真伪, 防伪, 保真, 是不是真的, 验真, 鉴别真伪
lost package, lost parcel, package lost, never arrived, not received, missing package, didn't arrive, 丢件, 丢失, 弄丢了, 快递丢了, 没收到货, 没收到, 包裹丢失, 件丢了
delivered, delivered but missing, marked delivered, says delivered, received parcel, 已签收, 签收, 妥投, 已送达, 显示签收, 显示已签收
delivery delay, delivery delayed, package delayed, late delivery, overdue delivery, taking too long, still waiting, late package, 晚到, 迟迟不到, 还没到, 怎么还没到, 延迟送达, 超时未到, 快递延误, 物流延误
stuck in transit, package stuck, not moving, no tracking update, stalled, tracking hasn't updated, 物流停滞, 物流不动, 没动静, 一直不动, 物流异常, 快递卡住了, 物流不更新
confirm receipt, confirm delivery, acknowledge receipt, 确认收货, 收到货了, 自动确认收货, 延长收货
preorder, pre-order, advance order, presale, 预售, 预购, 定金预售
deposit payment, down payment, earnest money, prepayment, advance payment, 定金, 订金, 预付款, 预付, 首付款
final payment, balance due, remaining payment, tail payment, 尾款, 余款, 付尾款, 剩余款项
reorder, buy again, repeat order, order again, repurchase, 再次购买, 再来一单, 复购, 回购, 重新下单, 再买一次
bulk order, wholesale, bulk purchase, large quantity, buy in bulk, 批发, 大批量, 大宗采购, 批量采购, 拿货
custom order, made to order, customized, personalize, bespoke, engraving, 定制, 订制, 定做, 私人订制, 刻字
order note, special instructions, delivery note, remark, 备注, 订单备注, 买家留言
order volume, number of orders, order count, how many orders, 订单量, 单量, 订单数, 多少单, 几单, 订单数量
abnormal order, order exception, problem order, suspicious order, 异常订单, 问题订单, 订单异常, 风险订单
minimum order, minimum quantity, moq, least quantity, 起订量, 最小起订量, 起批量, 起送价, 几件起
purchase limit, limit per customer, maximum quantity, per person limit, 限购, 购买上限, 限买, 每人限购
gift wrap, gift box, gift packaging, present wrapping, 礼品包装, 礼盒, 送礼包装, 贺卡, 包装成礼物
auction, bid on item, online auction, place a bid, 拍卖, 竞拍, 竞价, 出价
personal shopper, buy on behalf, purchasing agent, proxy buying, 代购, 代买, 帮买, 海外代购
# carts, checkout, address
cart, shopping cart, basket, add to cart, shopping bag, trolley, 购物车, 加购, 加入购物车, 购物篮, 加车
checkout, check out cart, settle cart, pay for cart, 结算, 结账, 去结算, 下单结算, 买单
wishlist, wish list, favorites, saved items, save for later, 收藏, 收藏夹, 心愿单, 愿望清单, 想买清单, 种草
shipping address, delivery address, mailing address, recipient address, where to send, 收货地址, 送货地址, 收件地址, 寄到哪, 配送地址, 邮寄地址
change address, update address, wrong address, edit address, moved house, new address, 改地址, 修改地址, 地址错了, 填错地址, 换地址, 地址写错, 更改地址
address book, saved addresses, default address, manage addresses, 地址簿, 地址管理, 默认地址, 常用地址
address parsing, address recognition, address validation, split address, standardize address, 地址解析, 地址识别, 智能地址, 地址拆分, 地址校验, 地址标准化
postal code, zip code, postcode, 邮编, 邮政编码, 邮递区号
consignee, receiver, addressee, package recipient, 收货人, 收件人, 收方, 取件人
consignor, shipper, package sender, 发件人, 寄件人, 发货人, 寄方
# couriers, logistics
parcel, package, shipment, packet, 包裹, 快递, 快件, 邮包, 邮件包裹
track parcel, track, trace, whereabouts, where's my package, track shipment, logistics status, 物流, 物流轨迹, 物流信息, 到哪了, 走到哪, 查件, 追踪, 查快递, 快递到哪了
waybill, waybill number, tracking number, tracking code, consignment number, awb, 运单, 运单号, 快递单号, 物流单号, 面单, 单号
shipping label, print label, electronic waybill, address label, 电子面单, 打印面单, 快递面单, 打单, 打面单
courier company, shipping carrier, express company, logistics provider, fedex, dhl, usps, 快递公司, 物流公司, 承运商, 顺丰, 圆通, 中通, 韵达, 申通
courier, delivery man, delivery driver, delivery person, mailman, postman, 快递员, 送货员, 派送员, 快递小哥, 邮递员, 配送员
deliver, delivery, dropped off, out for delivery, bring to door, 配送, 派送, 送货, 派件, 派送中, 送上门, 投递, 送货上门
delivery time, estimated delivery, eta, arrival date, when will arrive, how long delivery, arrive by, 预计送达, 送达时间, 几天到, 什么时候到, 啥时候到, 多久能到, 到货时间, 时效, 几号到
same-day delivery, next-day delivery, express delivery, fast shipping, overnight, 当日达, 次日达, 急送, 特快, 加急快递, 同城急送, 闪送, 隔日达
delivery slot, schedule delivery, delivery appointment, reschedule delivery, choose delivery time, 预约配送, 预约送货, 改约, 配送时段, 改派送时间, 送货时间
failed delivery, missed delivery, not home, nobody home, delivery attempt, redelivery, 派送失败, 没人在家, 不在家, 投递失败, 重新派送, 再次派送, 没送到
refuse delivery, reject parcel, refused package, return to sender, 拒收, 拒签, 不签收, 退回寄件人
sign for, signature required, proof of delivery, who signed, signed by, 签字, 谁签收的, 代签, 签收人, 签收证明, 回单, 签收单
pickup point, collection point, parcel locker, self pickup, pick up package, collect parcel, 自提, 自提点, 驿站, 快递柜, 丰巢, 取件, 取快递, 菜鸟驿站, 代收点
pickup code, collection code, locker code, 取件码, 取货码, 提货码, 自提码
store pickup, pickup in store, in-store pickup, click and collect, curbside pickup, 到店自提, 门店自提, 到店取货, 上门自取
send a parcel, mail a package, post a parcel, ship a package, 寄快递, 寄件, 寄包裹, 寄东西, 发快递, 邮寄
courier pickup, home pickup, schedule pickup, collect from home, 上门取件, 预约取件, 上门揽收, 预约寄件, 揽件, 揽收
shipping fee, shipping cost, postage, freight, delivery fee, delivery charge, shipping rate, 运费, 邮费, 快递费, 配送费, 运价, 邮资, 寄费, 寄多少钱
free shipping, free delivery, no shipping fee, 包邮, 免运费, 免邮, 免配送费, 包不包邮
cash on delivery, pay on delivery, collect on delivery, 货到付款, 到付, 代收货款
intercept parcel, stop delivery, recall package, redirect package, reroute, 拦截, 快递拦截, 截回, 追回快递, 转寄, 拦件, 改派
insured shipping, shipping insurance, declared value, freight insurance, 保价, 运费险, 货运险, 物流保险, 退货运费险
delivery area, service area, deliver to, shipping coverage, 配送范围, 能不能送到, 派送范围, 送不送, 服务区域, 是否可达, 超区
international shipping, ship abroad, overseas shipping, cross-border, worldwide shipping, ship overseas, 国际物流, 海外发货, 跨境, 国际快递, 寄到国外, 国际运输
customs, customs clearance, clearing customs, held at customs, customs declaration, 清关, 海关, 报关, 通关, 卡在海关, 海关扣留, import duty, tariff, customs duty, import tax, hs code, 关税, 进口税, 海关编码, 税号归类, 行邮税, import export, 进出口, customs office, 海关申报
cargo, freight transport, haulage, trucking, truckload, 货运, 货物运输, 物流运输, 拉货, 零担, 整车
vessel, shipping container, freight container, sea freight, ocean shipping, bill of lading, 集装箱, 海运, 船期, 提单, 货柜, 柜号
air freight, air cargo, air waybill, 空运, 航空货运, 空运单
unload, loading goods, loading dock, load truck, 装车, 卸货, 装卸, 装货, 配载
fleet, vehicle dispatch, dispatch truck, driver assignment, 车队, 派车, 车辆调度, 运力
delivery route, route planning, route optimization, best route delivery, 配送路线, 路线规划, 路径优化, 送货路线
cold chain, refrigerated, frozen shipping, fresh delivery, 冷链, 冷藏运输, 生鲜配送, 冷冻
last mile, local delivery, city delivery, rider, 同城配送, 骑手, 末端配送, 即时配送
food delivery, takeaway, takeout, takeout order, meal delivery, 外卖, 点外卖, 叫外卖, 订餐, 外送, take-out, order food, order takeout, doordash, 送餐, 点餐
package weight, overweight, volume weight, parcel dimensions, how heavy, 重量, 体积重, 超重, 多重, 包裹尺寸, 抛重, 几公斤
prohibited items, restricted goods, can i ship, dangerous goods, banned items, 违禁品, 禁寄, 能不能寄, 危险品, 禁运品
packaging, packing, box up, pack goods, 包装, 装箱, 外包装, 包装方式
packing slip, packing list, delivery note slip, shipping manifest, 装箱单, 发货单, 送货单, 出货单
in transit, on the way, on its way, en route, 运输中, 在途, 在路上, 路上了, 运送中
transit hub, sorting center, distribution center, 分拣中心, 转运中心, 集散中心, 分拨中心
delivery outlet, courier branch, service point, 网点, 快递网点, 营业网点, 快递点
lost parcel claim, compensation claim, claim damages, compensate, reimburse loss, pay damages, 赔偿, 理赔, 索赔, 赔付, 赔钱, 补偿, 怎么赔, compensation, damages, indemnity, 赔偿金, 赔多少
errand, run errands, errand service, 跑腿, 帮送, 跑腿服务, 同城跑腿
# returns, exchange, refund
return goods, return item, send back, sent back, take back, return product, give back item, 退货, 退回, 寄回, 退掉, 想退, 能退吗, 退换
refund, money back, get money back, refunded, 退款, 退钱, 返款, 把钱退给我, 还我钱, 退费, 申请退款, 退款申请
exchange item, replace item, replacement, change size, different size, 换货, 调换, 换一个, 换尺码, 换新, 换个颜色, 更换商品
refund status, refund progress, where's my refund, refund not received, refund pending, refund not showing, 退款进度, 退款状态, 退款没到账, 退款到哪了, 退款多久到, 钱还没退, 退款未到
refund only, refund without return, keep item refund, 仅退款, 只退款, 不退货退款
partial refund, refund difference, refund part, 部分退款, 退一部分, 退差额
refund rejected, refund denied, refuse refund, won't refund, 拒绝退款, 不给退, 不给退款, 退款被拒, 退款失败
return policy, refund policy, return window, how long return, can i return, no-reason return, 退货政策, 七天无理由, 退换货政策, 无理由退货, 退货期限, 退换规则, 几天内可退
return label, return shipping, return address, return postage, 退货地址, 退货运费, 寄回地址, 退货单, 退货物流
rma, return request, return authorization, apply for return, 退货申请, 申请退货, 售后单, 退货审核
return rate, refund rate, 退货率, 退款率, 退单率
cancel refund, withdraw refund, cancel return, 取消退款, 撤销退款, 取消退货, 撤销售后
# warranty and repair
warranty, guarantee period, under warranty, warranty coverage, still covered, 保修, 质保, 保修期, 三包, 过保, 在保, 质保期, 保不保修
extended warranty, protection plan, applecare, warranty extension, 延保, 延长保修, 碎屏险, 意外保
repair, mend, repair service, broken device, get it fixed, 维修, 修理, 修一下, 报修, 送修, 返修, 坏了, 修好, fix it, repairman, send technician, 师傅上门, 检修
repair center, service center, repair shop, authorized service, 维修点, 维修网点, 售后网点, 维修站, 维修中心
repair progress, repair status, is it fixed, 维修进度, 修好没, 返修进度, 维修状态
repair cost, cost to repair, repair quote, repair price, 维修费, 修理费, 维修报价, 修要多少钱
install service, installation service, home installation, assemble furniture, installer, 上门安装, 安装服务, 安装师傅
user manual, operating instructions, instruction manual, product guide, 说明书, 使用说明, 用户手册, 使用教程, instructions, user guide, how to use, tutorial, documentation, operating manual, 操作手册, 教程, 使用指南, 怎么用
spare parts, accessories, replacement part, 配件, 零件, 备件, 零配件, 配套件, spare part, component, parts list, 零部件, 备品备件
serial number, product serial, sn, imei, 序列号, 产品序列号, 机身码, 串号, 出厂编号
product recall, recall notice, safety recall, 召回, 产品召回, 缺陷召回
trade-in, trade in, old for new, part exchange, 以旧换新, 旧机回收, 回收旧机, 旧换新, 折旧换新
second-hand, used goods, pre-owned, secondhand, refurbished, 二手, 闲置, 旧货, 翻新机, 官翻
# invoices, receipts, tax numbers
invoice, tax invoice, issue invoice, vat invoice, e-invoice, need an invoice, 发票, 开票, 开发票, 电子发票, 增值税发票, 专票, 普票, 补开发票, invoicing, billing
invoice title, billing name, company name invoice, invoice header, 发票抬头, 抬头, 开票信息, 开票资料, 单位名称
tax number, taxpayer id, tax id, vat number, ein, 税号, 纳税人识别号, 纳税识别号, 企业税号
receipt, sales slip, proof of purchase, till receipt, proof of payment, payment voucher, 收据, 小票, 购物小票, 凭证, 购买凭证, 付款凭证
verify invoice, invoice verification, check invoice authenticity, 发票查验, 验发票, 发票真伪, 发票验真
void invoice, credit note, red invoice, reissue invoice, wrong invoice, 红冲, 冲红, 作废发票, 重开发票, 发票开错, 红字发票
invoice recognition, receipt scan, scan invoice, invoice ocr, receipt ocr, 发票识别, 扫描发票, 票据识别, 小票识别, receipt scanning, card recognition, id card ocr, 证件识别, 身份证识别
billing address, billing details, billing information, 账单地址, 账单信息, 开票地址
price quote, quote price, sales quotation, cost estimate, 报价, 报价单, 询价, 报个价, 估价, quotation, quote, proposal price, 询价回复, 出个价
contract, agreement, sign contract, sales contract, 合同, 协议, 签约, 签合同, 购销合同, contract draft, 合约, 协议书
# coupons, points, membership
coupon, voucher, promo code, discount code, coupon code, promotional code, 优惠券, 代金券, 折扣码, 优惠码, 抵用券, 领券, 消费券, 发个券
coupon not working, code not working, invalid code, can't apply coupon, coupon expired, 优惠券不能用, 用不了券, 优惠码无效, 券过期, 优惠券失效
claim coupon, get coupon, receive voucher, 领优惠券, 领取优惠券, 怎么领券, 发券
gift card, gift certificate, store card, egift, redeem gift card, 礼品卡, 购物卡, 储值卡, 礼券, 购物券
loyalty points, reward points, points balance, bonus points, earn points, 积分, 会员积分, 奖励积分, 攒积分, 多少积分
redeem points, exchange points, use points, points redemption, spend points, 积分兑换, 兑换积分, 积分换礼, 用积分, 积分抵现, 积分商城
points expire, expired points, points missing, points not credited, 积分过期, 积分清零, 积分没到账, 积分少了
frequent flyer, air miles, mileage points, 里程, 常旅客, 里程积分, 飞行里程, airline miles, 航空里程, 里程兑换
membership, become a member, vip, member card, loyalty program, join membership, 会员, 会员卡, 贵宾, 入会, 开通会员, 办会员
membership level, member tier, member benefits, member perks, upgrade membership, gold member, 会员等级, 会员权益, 会员特权, 升级会员, 等级权益, 会员福利
membership renewal, renew membership, membership expire, 会员续费, 续会员, 会员到期
cancel membership, quit membership, end membership, 取消会员, 退会员, 关闭会员, 会员退订
cashback, cash back, rebate, money back offer, 返现, 返利, 返还, 回扣, 消费返现
invite friends, referral bonus, refer a friend, referral code, 邀请好友, 推荐有奖, 拉新, 邀请码, 推荐奖励
discount, on sale, markdown, money off, percent off, special offer, 打折, 折扣, 优惠, 特价, 减价, 便宜点, 促销价, 几折
promotion, sales event, campaign, marketing campaign, special offers, 促销, 优惠活动, 大促, 营销活动, 搞活动, 双十一, 促销活动, promotion event, marketing activity, promotional campaign, 推广活动, 市场活动, 活动策划
flash sale, limited time offer, seckill, lightning deal, doorbuster, 秒杀, 限时抢购, 闪购, 抢购, 限时特惠, 限时折扣
group buy, group purchase, group buying, team purchase, 团购, 拼团, 拼单, 凑单, 社区团购
spend threshold, minimum spend, full reduction, spend and save, 满减, 满额, 满赠, 凑满, 满多少减
free gift, giveaway, freebie, bonus gift, gift with purchase, 赠品, 送的礼物, 赠送, 小礼品, 没送赠品
lucky draw, raffle, lottery draw, prize draw, sweepstake, 抽奖, 中奖, 抽奖活动, 大转盘, 奖品
red envelope, lucky money, hongbao, red packet, 红包, 发红包, 抢红包, 领红包, 压岁钱
free sample, product trial, try before buy, sample product, free trial, 试用, 试用装, 小样, 免费试用, 样品
flyer, brochure, promotional poster, product leaflet, 传单, 宣传单, 促销海报, 宣传册, poster, banner, design poster, cover image, leaflet, 海报, 宣传图, 横幅, 封面图, 做海报
# prices
price, cost, how much, how much is, pricing, price tag, 价格, 价钱, 多少钱, 售价, 单价, 什么价, 怎么卖, 几块钱, 价位
price protection, price adjustment, price match, price dropped after, refund price difference, 价保, 保价服务, 价格保护, 买贵了, 降价了, 退差价, 刚买就降价, 补差价
price comparison, compare prices, cheapest, best price, lowest price, where cheaper, 比价, 最便宜, 最低价, 哪里便宜, 哪家便宜, 价格对比, 划算
price history, price trend, price change, historical price, 历史价格, 价格走势, 价格变动, 历史低价, 价格趋势
price drop alert, price alert, price watch, notify price drop, 降价提醒, 降价通知, 价格监控, 价格提醒
price negotiation, bargain, haggle, negotiate price, lower the price, 砍价, 讲价, 议价, 还价, 能便宜点吗, 少点
expensive, pricey, overpriced, costly, too expensive, 太贵, 好贵, 昂贵, 价格高
cheap, inexpensive, affordable, low-cost, budget-friendly, good value, 便宜, 实惠, 平价, 性价比, 低价, 性价比高
set price, pricing strategy, adjust price, price setting, reprice, 定价, 调价, 改价, 定价策略, 标价
price range, price bracket, under budget, within budget, 价格区间, 价位段, 预算内, 价格范围
price increase, price hike, price went up, 涨价, 提价, 价格上涨, 又涨了
# stock, warehouse, supply
in stock, product availability, available in store, have you got, stock left, 有货, 有没有货, 现货, 还有吗, 有库存, 有现货, 库存情况
out of stock, product unavailable, sold out, none left, stockout, 缺货, 没货, 断货, 售罄, 卖完了, 无货, 卖光了, 脱销
restock, replenish, back in stock, replenishment, refill stock, restock alert, 补货, 到货, 补库存, 什么时候有货, 到货通知, 到货提醒, 补仓备货
inventory, stock level, stock quantity, on hand stock, 库存, 存货, 库存量, 库存数量, 库存水平, 剩多少货, in stock, out of stock, how many left, stock availability, 还有货吗, 缺货, 断货
stocktake, inventory count, stock count, physical count, cycle count, 盘点, 库存盘点, 盘库, 清点, 盘货, stocktaking, physical inventory
low stock, stock warning, stock alert, safety stock, running low, 库存不足, 库存预警, 安全库存, 低库存, 快没货了, replenish, restock, reorder, stock up, 补货, 备货, 订货
overstock, slow-moving stock, dead stock, excess inventory, clear stock, clearance, 积压, 滞销, 呆滞库存, 清仓, 清库存, 压货, 甩卖
warehouse, depot, storehouse, storage facility, fulfillment center, 仓库, 仓储, 库房, 货仓, wms, stock in, stock out, 入库, 出库, 仓管
stock in, goods receipt, inbound, receive goods, putaway, 入库, 收货入库, 进仓, 上架入库, 入仓
stock out record, outbound, issue from warehouse, 出库, 出仓, 出库单, 发货出库
stock transfer, transfer inventory, move stock, inter-warehouse, 调拨, 调货, 移库, 库存调拨
picking, order picking, pick list, pick and pack, 拣货, 配货, 拣货单, 分拣, 捡货
bin location, shelf location, storage location, rack, 库位, 货位, 货架, 储位
batch number, lot number, batch tracking, 批号, 批次, 批次号, 生产批次
expiry date, best before, shelf life, production date, use by, expired product, 保质期, 有效期, 生产日期, 过期, 临期, 过没过期
barcode, scan barcode, upc, ean, qr code product, 条码, 条形码, 扫码, 商品码, 商品条码, qr code, scan code, generate qr, 二维码, 生成二维码, scan qr code, qr reader, 扫二维码, 扫一扫
demand forecast, sales forecast, predict demand, predict sales, 需求预测, 销量预测, 销售预测, 预测销量
inventory turnover, stock turnover, days of inventory, 库存周转, 周转率, 周转天数, 存货周转
supplier, vendor, manufacturer, provider of goods, 供应商, 供货商, 厂家, 厂商, 供方, 货源, 生产商, wholesaler, 批发商
procurement, purchasing, sourcing, buying goods, purchase requisition, 采购, 进货, 采买, 请购, 采购申请, purchase request, buy supplies, 买办公用品
purchase order, po number, procurement order, 采购单, 采购订单, 进货单, 采购合同, po, 订货单
supplier evaluation, vendor rating, supplier performance, choose supplier, 供应商评估, 供应商考核, 供应商评价, 选供应商
supply chain, supply network, supply chain management, 供应链, 供应链管理, material supply, 物料供应
tender, bidding, rfp, call for bids, 招标, 投标, 竞标, 标书, 中标, bid, invitation to bid, tender document, 招投标
accounts payable, pay supplier, vendor payment, owed to suppliers, 应付账款, 付货款, 供应商付款, 应付款, supplier payment, payment request, 付款申请, 请款, 结款
accounts receivable, collect payment, customer owes, outstanding invoice, receivables, 应收账款, 应收, 收款, 回款, 欠款, 货款没收, payment collection, unpaid invoice, chase payment, outstanding payment, 催款, 没付款, 催账
dealer, distributor, reseller, agent distributor, franchise, 经销商, 分销商, 代理商, 加盟, 加盟商
raw material, bill of materials, bom, 原材料, 物料, 原料, 物料清单, material list, 用料
asset tracking, fixed assets, equipment ledger, 固定资产, 资产管理, 资产盘点, 资产台账, company asset, fixed asset, asset inventory, equipment inventory, asset management, 设备台账
# reviews, complaints, service
product review, customer review, rating, feedback on product, 评价, 评论, 商品评价, 买家评价, 点评, 好不好用, user review
write review, leave review, rate product, post review, give stars, 写评价, 写好评, 去评价, 晒单, 打分, 追评
negative review, bad review, one star, poor rating, 差评, 负面评价, 恶评, 一星, 中差评
positive review, good review, five stars, 好评, 五星, 好评率, 点赞好评
complaint, complain, lodge complaint, file complaint, dissatisfied, unhappy with service, 投诉, 抱怨, 不满, 举报商家, 维权, 不满意, 申诉, 我要投诉, grievance, 举报
customer service, customer support, customer care, support team, help desk, 客服, 客户服务, 在线客服, 售后客服, 联系客服, 客服电话, human agent, real person, live agent, talk to someone, speak to human, representative, 人工客服, 转人工, 真人, 找人工, 人工服务, 接人工, 人工坐席, 人工在吗, talk to human, support staff, 找真人
after-sales, after-sale service, post-sale support, aftersales, 售后, 售后服务, 售后问题, 售后处理, after sale service, warranty service, repair service, 保修, 质保, 三包
pre-sales, product inquiry, presales consultation, 售前, 售前咨询, 商品咨询, 购前咨询
support ticket, open a ticket, service request, case number, raise ticket, 工单, 服务单, 提工单, 报障单, 服务请求, ticket, helpdesk ticket, jira ticket, 提单, 报单
hotline, service number, call center, phone support, contact number, 热线, 服务热线, 呼叫中心, 联系电话, 电话多少, contact center, ivr, phone line, 客服热线, 热线电话, 客服电话
opening hours, business hours, what time open, closing time, still open, 营业时间, 几点开门, 几点关门, 开门吗, 工作时间, open now, open today, what time close, 开门了吗, 还开着吗, 开放时间, 关门了没
dispute, open a dispute, mediation, arbitration, platform intervention, 纠纷, 争议, 平台介入, 仲裁, 交易纠纷, 调解, labor dispute, settle dispute, 劳动仲裁
customer satisfaction, satisfaction survey, csat, nps, 满意度, 满意度调查, 客户满意度, 回访, 好评率, 净推荐值
customer sentiment, review analysis, opinion mining, customer voice, 评论分析, 评价分析, 舆情, 情感分析, 口碑分析
faq, common questions, frequently asked questions, 常见问题, 常问问题, 问题解答, help article, q&a, 问答, 答疑, 问答库
apologize, sorry to customer, appease customer, calm customer, 道歉, 安抚, 致歉, 赔礼
reply to customer, customer reply, response template, auto reply, canned response, 回复客户, 客服话术, 自动回复, 话术, 快捷回复
customer profile, customer data, crm, client records, customer information, 客户资料, 客户信息, 客户档案, 客户管理, 用户画像, client profile, customer persona, 360 view, customer background, 客户画像, 客户背景
customer, buyer, shopper, 客户, 顾客, 买家, 客人, 消费者, client, account holder, clientele, 主顾, 甲方
seller, merchant, shopkeeper, retailer, storekeeper, 卖家, 商家, 店家, 商户, 店主, 掌柜
sales lead, prospect, potential customer, lead generation, 线索, 潜在客户, 获客, 销售线索, 意向客户, 商机, potential client, 潜客
customer churn, lost customers, retention, win back customers, 客户流失, 流失, 留存, 挽回客户, 挽留, churn, customer loss, attrition, unsubscribed users, customer retention, 跑单, 不续费
# product search, recommendation
product search, find product, search items, look for product, shop for, 商品搜索, 找商品, 搜商品, 搜索商品, 找货, 搜一下商品
recommend, which to buy, suggest, recommendation, what to buy, pick for me, 推荐, 建议买, 买哪个, 哪款好, 选哪个, 帮我挑, 种草推荐, 导购
similar product, alternative product, substitute, something like this, 同款, 类似款, 替代品, 平替, 相似商品
image search product, search by photo, find by picture, visual search, 以图搜图, 拍照搜, 拍立淘, 图片搜商品, 识图搜货
product comparison, compare products, which is better, 商品对比, 产品对比, 哪个更好, 哪个好
specs, specification, technical parameters, product details, 规格, 参数, 商品详情, 产品参数, 技术指标, 型号参数
sizing, clothing size, shoe size, size chart, what size, fit me, size guide, too small, too big, 尺码, 尺寸, 多大码, 穿多大, 码数, 尺码表, does it fit, clothes too small, clothes too big, 尺寸表, 合身吗, 什么码, 太小了
color option, available colors, which color, 有什么颜色, 色号, 配色, 什么颜色的
material, fabric, made of, 材质, 面料, 什么料子, 成分, 料子
model number, product model, sku, item number, product code, 型号, 货号, 款号, 商品编号, 商品编码, 产品编号
brand, which brand, manufacturer brand, 品牌, 牌子, 什么牌子, 哪个牌子
product category, catalog, catalogue, product list, product range, 品类, 类目, 商品分类, 商品目录, 产品目录, 产品列表
best seller, top selling, hot item, popular product, trending product, 热销, 爆款, 畅销, 卖得最好, 热卖, 销量最高, 人气商品
new arrival, newly launched, new product, latest model, 新品, 上新, 新款, 新品上市, 最新款
compatible, compatibility, fits my model, works with, 兼容, 适配, 适用型号, 能不能配, 适不适合
gift ideas, what to give, present for, gift suggestion, birthday present, 送礼, 送什么, 礼物推荐, 生日礼物, 送礼物, 礼品推荐, gift idea, 礼物, gift, present idea, 礼品, 伴手礼
shopping list, things to buy, grocery list, to-buy list, 购物清单, 采购清单, 要买的东西, 买菜清单, groceries, need to buy
groceries, grocery shopping, supermarket, daily necessities, 超市, 买菜, 日用品, 生鲜, 杂货
nearby store, store locator, branch near me, closest shop, physical store, 门店, 附近门店, 最近的店, 实体店, 线下店, 哪里有店
country of origin, place of origin, made in, where made, 产地, 原产地, 哪里产的, 哪儿生产的
product title, product description, product copy, listing description, selling points, 商品标题, 商品描述, 商品文案, 卖点, 详情页文案, 产品文案, listing copy, 产品介绍, 详情页
# shop operation and sales figures
sales, sales figures, sales volume, units sold, how much sold, sold, 销量, 销售额, 卖了多少, 销售数据, 营业额, 卖得怎么样, 业绩, revenue, turnover, sales performance, 营收
revenue, income of business, gmv, takings, 营收, 收入, 流水, 成交额, 交易额, 营业收入, 进账
profit, profit margin, gross profit, net profit, earnings, make money, 利润, 毛利, 净利润, 盈利, 赚了多少, 毛利率, 赚钱, gross margin, profitability, 利润率
loss-making, in the red, losing money, operating at loss, 亏损, 亏钱, 赔本, 亏了多少, 赔了
sales report, daily sales, monthly sales, sales analysis, sales summary, 销售报表, 销售报告, 销售分析, 经营报表, 经营分析, 销售统计, 销售日报
conversion rate, click rate, cart conversion, 转化率, 成交率, 点击率, 下单率, conversion, click through rate, ctr, 转化
visitors, site traffic, store traffic, page views, store visits, footfall, 访客, 浏览量, 客流, 访客数, 客流量, 店铺流量, 网站流量
average order value, basket size, spend per customer, 客单价, 笔单价, 人均消费, 平均订单额, per customer transaction, 平均订单金额
year on year, yoy, month on month, growth rate, 同比, 环比, 增长率, 比上月, 较去年, compared last year, versus last year, 比去年, 去年同期, 和去年比
online store, web shop, storefront, open a store, my shop, 网店, 店铺, 开店, 小店, 网上商店, 旗舰店
list product, publish product, put on sale, create listing, product listing, 上架, 发布商品, 商品发布, 上货, 铺货
delist, take down product, remove listing, unlist, 下架, 撤下商品, 商品下架, 停售
livestream selling, live commerce, livestream shopping, host selling, 直播带货, 直播间, 带货, 主播卖货
advertising, ad campaign, ad spend, paid promotion, 广告, 投放, 广告投放, 推广, 买量, 直通车
point of sale, cash register, pos terminal, cashier, 收银, 收银台, 收款机, 收银员
competitor, rival, competitor analysis, competitor price, 竞品, 竞争对手, 竞品分析, competing product, benchmark rivals, 对手, 同行
e-commerce, ecommerce, online shopping, online retail, 电商, 电子商务, 网上购物, 网购平台, 网上买东西
sales commission, commission rate, broker fee, sales bonus, 佣金, 提成, 抽成, 返佣, 提成多少, commission, sales incentive, 销售奖金, 业绩奖金
sales target, sales quota, kpi sales, sales goal, 销售目标, 业绩目标, 销售指标, 完成率, target completion, quota, quota attainment, achievement rate, 达成率, 目标完成, 指标完成, 达标没
reconciliation, reconcile accounts, match transactions, settle accounts, 对账, 核账, 账目核对, 对一下账, 平账, reconcile, match accounts, accounts don't match, 账对不上, 对账单
bookkeeping, accounting, ledger, journal entry, keep accounts, 记账, 会计, 账目, 做账, 账本, 总账, voucher entry, 财务核算
balance sheet, financial statement, income statement, cash flow statement, 资产负债表, 财务报表, 财报, 利润表, 现金流量表
cash flow, working capital, liquidity, 现金流, 资金流, 流动资金, 周转资金
expense claim, expense report, reimbursement, claim expenses, 报销, 费用报销, 报销单, 差旅报销, 报账, reimburse, claim back, 报差旅费
online marketplace, e-commerce platform, shopping site, shopping platform, 电商平台, 购物平台, 购物网站, 电商网站
amazon, amazon store, amazon seller, 亚马逊, 亚马逊卖家
taobao, tmall, taobao shop, 淘宝, 天猫, 淘宝店
jingdong, jd.com, jd mall, 京东, 京东商城
pinduoduo, pdd, temu, 拼多多
`;
