import type { Language } from './language.ts';
import type { Trust } from './sense.ts';
import { cosine } from './vectors.ts';

/** What somebody asks, and the capability that answers it. */
type Pair = readonly [query: string, passage: string];

/** A dozen that share few words or none: whoever only counts words fails. */
export const PAIRS: Readonly<Record<Language, readonly Pair[]>> = {
  en: [
    ['has my package left the warehouse yet', 'Order status. Looks up the state of an order.'],
    ['i want my money back', 'Refund request. Returns the amount paid for a purchase.'],
    ['will it rain tomorrow', 'Weather forecast. Temperature and precipitation of a city.'],
    ['wake me up at seven', 'Alarm clock. Sets an alarm for a time of day.'],
    ['i forgot how to log in', 'Password reset. Lets a user choose a new password.'],
    ['put on some jazz', 'Music player. Plays songs by genre, artist or album.'],
    ['how do you say good morning in french', 'Translation from one language into another.'],
    ['find us a table for two tonight', 'Restaurant reservation. Reserves seats for dinner.'],
    ['what is fifteen percent of eighty', 'Calculator. Evaluates arithmetic expressions.'],
    ['it is too dark in the kitchen', 'Lighting. Switches lamps on and off and dims them.'],
    ['i need a ride to the airport', 'Taxi booking. Orders a car with a driver.'],
    ['my screen is cracked', 'Repair service. Registers a defective device for repair.'],
  ],
  zh: [
    ['我买的东西寄出来了吗', '订单状态查询。查询订单的当前状态。'],
    ['我要把钱拿回来', '退款申请。退还购买商品所支付的金额。'],
    ['明天会下雨吗', '天气预报。查询城市的气温和降水。'],
    ['七点叫我起床', '闹钟。设置某个时间的闹铃。'],
    ['我忘了怎么登录', '重置密码。让用户设置新的密码。'],
    ['来点爵士乐', '音乐播放。按风格、歌手或专辑播放歌曲。'],
    ['早上好用法语怎么说', '翻译。把文字从一种语言译成另一种语言。'],
    ['今晚两个人想找个地方吃饭', '餐厅预订。预订餐厅的座位。'],
    ['八十的百分之十五是多少', '计算器。计算算术表达式。'],
    ['厨房太暗了', '灯光控制。开关灯并调节亮度。'],
    ['怎么去机场最快', '叫车服务。预约一辆带司机的汽车。'],
    ['手机屏幕碎了', '维修服务。登记需要修理的故障设备。'],
  ],
};

/** Vectors of one language's pairs, in their order. */
export interface Tried {
  queries: readonly Float32Array[];
  passages: readonly Float32Array[];
}

/** What a test came to. `right`: the part of the queries whose own passage was nearest. */
export type Tested = { right: number; trust: Trust } | { right: number; why: string };

/** Whoever guesses gets one of twelve, and six about once in ten thousand times. */
const RIGHT_MIN = 0.5;
/** What this much is worth: nothing. All of `shareMax` is for whoever gets everything right. */
const RIGHT_NOTHING = 0.4;

/** What an embedder is worth in a language: whether it finds the right one of a dozen. */
export function judgeTrial({ queries, passages }: Tried, shareMax: number): Tested {
  const others: number[] = [];
  let hits = 0;
  for (const [place, query] of queries.entries()) {
    const cosines = passages.map((passage) => cosine(query, passage));
    const own = cosines[place] ?? 0;
    const rest = cosines.filter((_, i) => i !== place);
    others.push(...rest);
    // As near as another one is not nearest: whoever says the same of all has told nothing apart.
    if (rest.every((other) => own > other)) hits += 1;
  }
  const right = hits / queries.length;
  if (right < RIGHT_MIN) {
    const needed = Math.ceil(RIGHT_MIN * queries.length);
    const why = `of ${queries.length} questions it found the answer to ${hits}, and ${needed} are needed`;
    return { right, why };
  }
  const mean = others.reduce((sum, one) => sum + one, 0) / others.length;
  const variance = others.reduce((sum, one) => sum + (one - mean) ** 2, 0) / others.length;
  const share = (shareMax * (right - RIGHT_NOTHING)) / (1 - RIGHT_NOTHING);
  return { right, trust: { right, share, background: { mean, deviation: Math.sqrt(variance) } } };
}
