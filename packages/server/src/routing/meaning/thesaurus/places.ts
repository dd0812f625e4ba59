/** Travel, ways, hotels, restaurants, cooking. */
export const PLACES = `
# flights and airports
flight, plane, airplane, aircraft, airline, fly, flew, flown, flying, 航班, 飞机, 班机, 坐飞机, 航空
plane ticket, air ticket, airfare, flight ticket, flight booking, book a flight, cheap flight, 机票, 飞机票, 订机票, 买机票, 航空票务, 特价机票
flight status, flight delay, delayed flight, plane late, flight on time, landed yet, 航班动态, 航班状态, 航班延误, 晚点, 误点, 延误, 飞机到了吗, 准点, 起飞了吗
airport, airport terminal, air hub, 机场, 航站楼, 候机楼
boarding gate, gate number, departure gate, which gate, 登机口, 几号登机口, 登机门, 在哪登机
check in online, online check-in, flight check-in, boarding pass, boarding card, 值机, 登机牌, 网上值机, 办理登机, 在线值机
luggage, baggage, suitcase, carry-on, checked bag, hand luggage, bag allowance, 行李, 托运, 箱子, 行李箱, 手提行李, 随身行李, 行李额
lost luggage, missing baggage, baggage claim, bag didn't arrive, 行李丢失, 行李丢了, 行李没到, 行李查询, 行李提取, 行李转盘
seat selection, choose seat, pick a seat, window seat, aisle seat, legroom, 选座, 选座位, 靠窗, 靠过道, 座位预选, 挑座位
change flight, rebook, reschedule flight, change ticket, earlier flight, later flight, 改签, 改机票, 变更航班, 换航班, 改航班
ticket refund, refund ticket, return ticket money, cancel ticket, cancel flight, 退票, 退机票, 取消机票, 退票费, 机票退款
stopover, layover, flight transfer, connecting flight, 中转, 转机, 经停, 联程, 换乘
nonstop, direct flight, non-stop, 直飞, 直达航班, 不转机
business class, first class, economy class, cabin class, seat upgrade, 商务舱, 头等舱, 经济舱, 舱位, 升舱
round trip, return ticket, return flight, two-way, there and back, 往返, 来回, 往返票, 双程
one way, single ticket, one-way trip, 单程, 单程票
fare, ticket price, how much ticket, 票价, 运价, 车票多少钱, 机票多少钱
duty free, duty-free shop, tax free, shopping tax refund, 免税, 免税店, 免税商品, 购物退税
airport transfer, airport pickup, airport shuttle, airport drop-off, 接机, 送机, 接送机, 机场大巴, 机场接送
seats left, tickets left, seat availability, remaining tickets, sold out, still tickets, 余票, 有票吗, 还有票吗, 剩余座位, 票卖完了
# trains, buses, metro, ships
train, railway, rail, high-speed rail, bullet train, 火车, 高铁, 动车, 列车, 铁路, 12306
train ticket, rail ticket, book train, rail booking, 火车票, 高铁票, 动车票, 车票, 抢票, 买火车票, 订火车票
train station, railway station, platform number, which platform, 火车站, 高铁站, 站台, 检票口, 车站
timetable, departure time, train times, bus schedule, when leave, next train, next bus, 时刻表, 发车时间, 几点发车, 几点开车, 下一班, 班次, 末班车, 首班车
sleeper, sleeper berth, hard seat, soft sleeper, second class seat, 卧铺, 硬卧, 软卧, 硬座, 二等座, 一等座, 席别
bus, coach bus, bus line, bus route, transit bus, 公交, 公交车, 巴士, 公共汽车, 坐公交, 几路车
long-distance bus, intercity bus, coach ticket, bus ticket, 长途汽车, 大巴, 客运, 长途客车, 汽车票
bus stop, bus station, nearest stop, 公交站, 公交站牌, 车站牌, 汽车站
bus arrival, bus coming, real-time bus, bus is late, 公交到站, 实时公交, 公交车到哪了, 还有几站, 公交还要多久
metro, subway, underground, tube station, light rail, 地铁, 轻轨, 地铁站, 坐地铁, 轨道交通
public transport, public transit, mass transit, 公共交通, 公交出行, 坐什么车
ferry, boat ticket, ship ticket, cruise, sailing time, ferry crossing, 轮渡, 船票, 邮轮, 渡轮, 游轮, 坐船
# taxi, rental, parking, fuel
taxi, cab, ride hailing, rideshare, uber, lyft, book a ride, get a ride, call a car, 打车, 叫车, 出租车, 网约车, 的士, 滴滴, 叫个车
driver arriving, where's my driver, driver location, driver eta, 司机到哪了, 司机位置, 车到了没, 接驾
taxi fare, ride price, fare estimate, ride cost, 打车费, 车费, 打车多少钱, 费用预估, 车费预估
carpool, ride share, share a ride, hitch a ride, 拼车, 顺风车, 搭车, 合乘, 搭便车
designated driver, drunk driver service, drive me home, drank alcohol, 代驾, 喝酒了, 叫代驾, 代驾司机
chauffeur, private driver, car with driver, 包车, 专车, 带司机, 专职司机
car rental, rent a car, hire car, car hire, rental car, rented car, 租车, 汽车租赁, 租辆车, 自驾租车, 还车
bike share, shared bike, rent a bike, city bike, bike rental, e-scooter, 共享单车, 骑车, 租自行车, 单车, 小黄车, 扫码骑车
bicycle, bike, go cycling, cycle route, 自行车, 骑行, 脚踏车, 单车骑行
parking, car park, parking lot, parking space, parking spot, park my car, garage space, 停车, 停车场, 车位, 停车位, 泊车, 哪里能停车
find my car, where i parked, where's my car, car location, 找车, 车停哪了, 寻车, 反向寻车, 车辆定位
petrol station, gas station, filling station, fuel station, refuel, fill up, out of gas, 加油站, 加油, 没油了, 油站
fuel price, gas price, petrol price, diesel price, price of petrol, 油价, 汽油价格, 今日油价, 柴油价格
electric car, ev, electric vehicle, new energy vehicle, 电动车, 电动汽车, 新能源车, 新能源汽车
range left, battery range, driving range, how far drive, 续航, 剩余里程, 还能跑多远, 续航里程
# navigation and places
traffic, traffic jam, congestion, gridlock, rush hour, road conditions, stuck in traffic, 路况, 堵车, 塞车, 拥堵, 堵不堵, 交通状况, 路上堵吗
navigate, navigation, directions, gps, take me to, lead the way, how to reach, 导航, 怎么走, 指路, 带我去, 怎么去, 路怎么走
route, route planning, itinerary route, best way, fastest way, shortest path, 路线, 路径, 线路规划, 路线规划, 最快路线, 最短路径
distance, how far, mileage between, kilometres away, miles away, 距离, 多远, 多少公里, 里程, 相距
travel time, how long drive, commute time, time to get, eta, arrival time, 路上要多久, 多久能到, 通勤时间, 车程, 预计到达, 几点能到, 行程时间
detour, avoid tolls, avoid highway, alternate route, another route, 绕行, 绕路, 避开高速, 换条路, 备选路线, 避开拥堵
road closure, road closed, blocked road, road works, traffic restriction, 封路, 道路封闭, 道路施工, 交通管制, 修路
walking directions, walk there, on foot, walkable, 步行, 走路, 走着去, 徒步导航, 步行路线
drive there, by car, driving route, self-driving trip, road trip, 开车去, 驾车, 自驾, 自驾游, 驾车路线
map, atlas, street map, 地图, 电子地图, 街景
nearby, near me, around here, close by, nearest, closest, in the area, 附近, 周边, 周围, 最近的, 这附近
point of interest, poi, place search, local business, 兴趣点, 地点搜索, 场所, 商户搜索
share location, live location, send my location, 共享位置, 位置共享, 发定位, 发位置
street name, street address, postal address, 地址, 住址, 门牌号, 在什么地方
geocode, geocoding, gps coordinates, latitude, longitude, lat long, 地理编码, 经纬度, 坐标, 逆地理编码
shop location, store locator, nearest branch, find a store, 门店查询, 网点, 门店地址, 附近门店, 最近的店
toilet, restroom, bathroom nearby, public toilet, washroom, loo, need to pee, 厕所, 洗手间, 卫生间, 公厕, 上厕所
supermarket, grocery store, convenience store, corner shop, 超市, 便利店, 小卖部, 商超
shopping mall, department store, shopping centre, shopping center, 商场, 购物中心, 百货, 逛商场
# hotels
hotel, accommodation, lodging, inn, motel, hostel, place to stay, somewhere to stay, 酒店, 宾馆, 住宿, 旅馆, 旅店, 住哪, 青旅, 住的地方
book a room, reserve a room, hotel booking, hotel reservation, room booking, booked a hotel, 订房, 订酒店, 预订房间, 开房间, 酒店预订, 客房预订
cancel booking, cancel reservation, booking cancelled, reservation cancelled, cancel hotel, cancel my room, 取消预订, 取消预约, 退房间, 退订, 取消订房, 预订被取消
change booking, modify reservation, amend booking, change dates, extend stay, 修改预订, 改日期, 更改预订, 续住, 延住, 预订变更
room type, double room, single room, twin room, hotel suite, king bed, 房型, 大床房, 双人间, 标间, 单人间, 套房, 双床房
vacancy, room availability, available rooms, fully booked, rooms left, 空房, 有房吗, 满房, 还有房间吗, 房态, 剩余房间
room rate, price per night, nightly rate, hotel price, 房价, 一晚多少钱, 每晚价格, 房费
hotel check-in, check-in time, early check-in, arrive at hotel, 入住, 办理入住, 几点入住, 提前入住
hotel check-out, check out time, late checkout, checkout from hotel, 退房, 几点退房, 延迟退房, 办退房
room service, housekeeping, extra towels, clean my room, wake-up call, 客房服务, 送毛巾, 打扫房间, 叫醒服务, 送餐到房间
front desk, hotel reception, concierge, receptionist, 前台, 礼宾, 总台, 接待处
homestay, vacation rental, holiday home, airbnb, bed and breakfast, b&b, guesthouse, 民宿, 短租, 度假屋, 客栈, 日租房
hotel wifi, room wifi, wifi password, internet in room, 酒店无线, 无线密码
camping, campsite, tent, caravan park, rv, glamping, 露营, 营地, 帐篷, 野营, 房车
# travel
travel, trip, vacation, holiday trip, getaway, journey, tourism, 旅游, 旅行, 出行, 度假, 出游, 去玩
travel plan, trip planning, itinerary, plan my trip, day trip plan, 行程, 行程规划, 旅游计划, 旅行计划, 路书, 行程安排, 攻略
attraction, sights, sightseeing, tourist spot, landmark, places to visit, worth seeing, 景点, 景区, 名胜, 旅游景点, 好玩的地方, 去哪玩, 观光
attraction ticket, admission ticket, entrance fee, entry ticket, theme park ticket, 门票, 景区门票, 入场券, 入园, 景点门票
travel guide, travel advice, travel tips, destination guide, where to go, 旅游攻略, 旅行指南, 出行建议, 旅游推荐, 旅行建议, 目的地推荐
tour, guided tour, group tour, package tour, excursion, day tour, 跟团, 跟团游, 旅行团, 一日游, 报团, 旅游团
tour guide, local guide, audio guide, 导游, 讲解, 导览, 讲解员, 语音导览
travel agency, travel agent, tour operator, 旅行社, 旅游公司, 旅游顾问
visa, entry permit, visa application, visa free, visa-free, need a visa, visa on arrival, 签证, 办签证, 免签, 落地签, 签证申请, 入境许可
passport, passport renewal, travel document, 护照, 办护照, 换护照, 护照到期, 通行证, 旅行证件
immigration, emigrate, emigration, green card, residence permit, permanent residence, 移民, 绿卡, 永居, 居留, 居留许可
border crossing, entry requirements, border control, enter the country, 出入境, 入境, 入境要求, 边检, 过关, 口岸
embassy, consulate, 大使馆, 领事馆, 使馆, 领事保护
packing list, what to pack, pack my bag, what to bring, 打包清单, 带什么, 行李清单, 收拾行李, 要带什么东西
vaccine, vaccination, jab, immunization, immunisation, flu shot, 疫苗, 接种, 打疫苗, 预防针, 预防接种
jet lag, body clock, long flight tiredness, 倒时差, 时差反应
beach, seaside, coast, island holiday, 海滩, 海边, 沙滩, 海岛, 看海
hiking, trekking, hike, trail, mountaineering, climb mountain, 徒步, 爬山, 登山, 步道, 远足
museum, art gallery, art exhibition, exhibit, exhibition, 博物馆, 展览, 美术馆, 看展, 画展, 展馆
amusement park, theme park, disneyland, roller coaster, water park, 游乐园, 主题乐园, 迪士尼, 游乐场, 欢乐谷, 水上乐园
zoo, aquarium, wildlife park, safari, 动物园, 水族馆, 海洋馆, 野生动物园
public park, botanical garden, 公园, 花园, 植物园
queue up, waiting line, wait time, queue number, waitlist, how long wait, 排队, 取号, 等位, 叫号, 排号, 要等多久, 候位
travel safety, travel warning, travel advisory, is it safe, 旅行安全, 旅行警告, 安全提醒, 安全吗, 出行提示
# restaurants and delivery
restaurant, eatery, diner, place to eat, somewhere to eat, bistro, dine out, eat out, ate out, 餐厅, 饭店, 餐馆, 饭馆, 吃饭的地方, 下馆子, 馆子
reserve a table, book a table, table reservation, restaurant booking, dinner reservation, table for two, 订位, 订座, 订桌, 预订餐位, 留位, 预订餐厅, 订个位子
what to eat, restaurant recommendation, good food, hungry, food suggestion, starving, 吃什么, 美食推荐, 好吃的, 饿了, 餐厅推荐, 有什么好吃的, 美食
menu, dish list, on the menu, 菜单, 菜谱单, 有什么菜, 菜品, 餐单
dish, signature dish, speciality, house special, 招牌菜, 特色菜, 推荐菜, 拿手菜
restaurant review, food rating, yelp, restaurant rating, is it good, 餐厅评价, 食评, 大众点评, 餐厅评分, 好不好吃, 口碑
where's my food, food order status, food not arrived, courier rider, delivery rider, 外卖到哪了, 骑手, 外卖没到, 外卖员, 配送进度, 催单
coffee, cafe, latte, coffee shop, espresso, cappuccino, 咖啡, 咖啡店, 咖啡馆, 拿铁, 美式
bubble tea, milk tea, boba, 奶茶, 珍珠奶茶, 茶饮
tea, teahouse, green tea, 茶叶, 喝茶, 茶馆, 品茶
bar nearby, pub, nightclub, nightlife, night club, 酒吧, 夜店, 夜生活, 蹦迪, 清吧
wine, red wine, white wine, 红酒, 葡萄酒, 洋酒
beer, lager, craft beer, 啤酒, 精酿
alcohol, liquor, booze, alcoholic drink, hard liquor, 酒水, 酒类, 白酒, 烈酒
cocktail, mixed drink, mixology, bartender, 鸡尾酒, 调酒, 调酒师
fast food, burger, hamburger, fries, 快餐, 汉堡, 薯条, 肯德基, 麦当劳
pizza, pizzeria, pizza order, 披萨, 比萨, 必胜客
hotpot, hot pot, 火锅, 涮锅, 涮肉, 海底捞
barbecue, bbq, grill, skewers, 烧烤, 烤肉, 烤串, 撸串
cuisine, cooking style, local food, regional food, 菜系, 当地美食, 地方菜, 风味
chinese food, chinese restaurant, dim sum, 中餐, 中国菜, 川菜, 粤菜, 早茶
japanese food, sushi, ramen, 日料, 寿司, 日本料理, 拉面
western food, steakhouse, pasta, 西餐, 牛排馆, 意面
buffet, all-you-can-eat, 自助餐, 随便吃
banquet, catering, private room, party booking, 宴会, 酒席, 包间, 包厢, 宴席, 餐饮承办
# cooking and nutrition
cake, birthday cake, cupcake, 蛋糕, 生日蛋糕, 订蛋糕
bread, loaf, toast, bakery, 面包, 吐司, 面包店
dessert, pastry, cookies, pudding, 甜点, 甜品, 饼干, 糕点
nutrition, nutrient, nutritional value, nutrition facts, healthy food, protein, carbs, vitamins, 营养, 营养成分, 营养价值, 蛋白质, 碳水, 维生素, 膳食营养
diet, dieting, eating plan, low carb, keto, 饮食, 节食, 食谱计划, 减脂餐, 控糖, 生酮
vegetarian, vegan, plant-based, meatless, no meat, 素食, 吃素, 纯素, 素菜, 不吃肉, 全素
gluten free, dietary restriction, dairy free, lactose intolerant, nut free, 无麸质, 忌口, 不能吃, 饮食限制, 乳糖不耐
allergy, allergic, allergen, food allergy, 过敏, 过敏原, 食物过敏, 过敏反应
food storage, keep fresh, still good, gone off, expired food, shelf life, best before, 保质期, 食品过期, 还能吃吗, 坏了没, 保鲜, 变质
food safety, food poisoning, food hygiene, 食品安全, 食物中毒, 食品卫生
halal, kosher, 清真, 洁食, 清真餐
breakfast, brunch, morning meal, 早餐, 早饭, 早点
lunch, midday meal, lunch break, 午餐, 午饭, 中饭
dinner, supper, evening meal, 晚餐, 晚饭, 夜宵
snack, crisps, nibbles, 零食, 小吃, 点心, 嘴馋
candy, sweets, chocolate, confectionery, 糖果, 巧克力
fruit, fresh fruit, 水果, 鲜果, 果蔬
vegetable, veg, leafy greens, veggies, 蔬菜, 青菜, 买菜
beef, steak, 牛肉, 牛排
pork, bacon, 猪肉, 五花肉, 排骨
chicken meat, chicken breast, poultry, 鸡肉, 鸡胸肉, 禽肉
lamb, mutton, 羊肉, 羊排
seafood, shellfish, fish dish, prawn, 海鲜, 水产, 鱼虾
drink water, hydration, water intake, thirsty, water reminder, 喝水, 饮水, 补水, 饮水量, 口渴
`;
