import type { Language } from './language.ts';

/** What the demo says, in both languages. */
export const TEXTS = {
  en: {
    starting: 'Starting a gateway and four agents, each in a process of its own …',
    ready: (endpoint: string, ms: number) => `Ready after ${seconds(ms)} s: ${endpoint}`,
    listed: 'The customer service answers what is asked about orders, parcels and stock, such as:',
    prompt: 'Your question (empty to go on): ',
    question: 'Customer',
    answer: 'Service ',
    killing: 'Now the logistics agent is killed (kill -9), and somebody asks again.',
    forbidden: (name: string) =>
      `Everybody signs with a key of his own. Now the demo asks for ${name}, which it is not granted.`,
    refund: {
      asked: (yuan: number) =>
        `A refund of ¥${yuan} is sensitive: nothing is paid before somebody else has said yes.`,
      sees: (who: string, what: string) => `${who} sees ${what}`,
      other: (yuan: number) => `The approval is tried with ¥${yuan} instead:`,
      done: (yuan: number) => `Paid back: ¥${yuan}, once. Asked again with the same key:`,
      replayed: (yuan: number) => `the first answer, and still ¥${yuan}.`,
    },
    freeze: {
      title:
        'Three processes count the stock. Two of them freeze (kill -STOP): they are there, and answer nothing.',
      asked: (count: number, answered: number) =>
        `${count} questions meanwhile, ${answered} answered: by the third.`,
      thaw: (name: string) => `${name} goes on (kill -CONT).`,
    },
    restarting: 'The logistics agent is started again. Nobody has to be told.',
    lastSeen: (agent: string, moment: string) => `${agent}, last seen ${moment}`,
    answeredIn: (ms: number) => `answered in ${Math.round(ms)} ms`,
    meant: {
      title: 'Some questions could mean two things. Nobody guesses; the question is asked back.',
      chosen: (who: string, option: string, counts: boolean) =>
        `${who} chooses ${option}: ${counts ? 'it counts from the next decision on.' : 'it counts once a second one says so, too.'}`,
      money: 'And money is reached by no wording at all.',
    },
    kept: 'Everything keeps running. Ctrl-C ends it. Try:',
    noTrace: 'the trace has not been written yet',
    unexpected: 'This is not what the demo expected; it ends with code 1.',
    labels: {
      title: (count: number) => `The evening before the sale: ${count} labels, as tasks.`,
      lease: (s: number) =>
        `Three printers fetch them. Here one that is silent for ${s} s loses its work (default 30 s).`,
      label: 'Labels',
      killing: (printer: string, held: number) =>
        `Half are out. ${printer} is killed (kill -9); tasks in its hands: ${held}.`,
      waiting: (printer: string) => `leases of ${printer}`,
      submitted: 'submitted',
      printedBy: (printer: string) => `done by ${printer}`,
      killed: '← killed',
      redelivered: 'begun again',
      lost: 'lost',
      double: 'double',
      seconds: 'seconds',
    },
  },
  zh: {
    starting: '正在启动网关和四个智能体，每个一个进程……',
    ready: (endpoint: string, ms: number) => `${seconds(ms)} 秒后就绪：${endpoint}`,
    listed: '客服回答关于订单、快递和库存的问题，怎么说都可以，例如：',
    prompt: '请提问（直接回车则继续）：',
    question: '客户',
    answer: '客服',
    killing: '现在杀掉物流智能体（kill -9），再问一次。',
    forbidden: (name: string) => `人人都用自己的密钥签名。现在演示程序去调没有授予它的 ${name}。`,
    refund: {
      asked: (yuan: number) => `退款 ¥${yuan} 属于敏感操作：别人点头之前一分钱也不会付。`,
      sees: (who: string, what: string) => `${who} 看到的是 ${what}`,
      other: (yuan: number) => `拿这份批准去退 ¥${yuan}：`,
      done: (yuan: number) => `已退款 ¥${yuan}，只退一次。用同一个键再问一遍：`,
      replayed: (yuan: number) => `得到第一次的答复，仍是 ¥${yuan}。`,
    },
    freeze: {
      title: '三个进程一起查库存。其中两个被冻住（kill -STOP）：进程还在，但什么都不回答。',
      asked: (count: number, answered: number) =>
        `这期间问了 ${count} 次，答了 ${answered} 次：都由第三个进程回答。`,
      thaw: (name: string) => `${name} 继续运行（kill -CONT）。`,
    },
    restarting: '重新启动物流智能体，不需要通知任何人。',
    lastSeen: (agent: string, moment: string) => `${agent}，最后一次见到它是 ${moment}`,
    answeredIn: (ms: number) => `${Math.round(ms)} 毫秒内答复`,
    meant: {
      title: '有的问题可以有两种意思。谁都不猜，把问题问回去。',
      chosen: (who: string, option: string, counts: boolean) =>
        `${who} 选了 ${option}：${counts ? '从下一次起就按这个走。' : '还要有另一个人也这么选才算数。'}`,
      money: '而钱，怎么措辞都动不了。',
    },
    kept: '全部保持运行，按 Ctrl-C 结束。可以试试：',
    noTrace: '追踪记录还没有写入',
    unexpected: '这与演示的预期不符，以退出码 1 结束。',
    labels: {
      title: (count: number) => `大促前夜：${count} 张快递面单，以任务提交。`,
      lease: (s: number) => `三台打印机来领任务。演示里沉默 ${s} 秒就收回任务（默认 30 秒）。`,
      label: '面单',
      killing: (printer: string, held: number) =>
        `已出一半。杀掉 ${printer}（kill -9），它手里还有 ${held} 个任务。`,
      waiting: (printer: string) => `等 ${printer} 的租约到期`,
      submitted: '已提交',
      printedBy: (printer: string) => `${printer} 完成`,
      killed: '← 被杀',
      redelivered: '重新执行',
      lost: '丢失',
      double: '重复',
      seconds: '秒',
    },
  },
} as const satisfies Record<Language, object>;

/** The questions of the built-in tour: three that mean something here, one that does not. */
export const TOUR = {
  en: [
    'Why has my phone not shipped yet?',
    'Where is my parcel?',
    'Where does order ORD202501150007 stand?',
    'Tell me a joke',
  ],
  zh: [
    '我的手机为什么还没发货？',
    '我的快递到哪了？',
    '订单 ORD202501150007 到哪一步了？',
    '明天会下雨吗？',
  ],
} as const satisfies Record<Language, readonly string[]>;

/** Others that one may ask, beside the tour. */
export const MORE = {
  en: ['Are the blue earbuds in stock?', 'Where is the clear case I ordered?'],
  zh: ['蓝色耳机还有货吗？', '我买的保护壳到哪了？'],
} as const satisfies Record<Language, readonly string[]>;

/** A question that could be about the order or the parcel. */
export const VAGUE = { en: 'Where is my stuff now?', zh: '东西什么时候能到？' } as const;

/** A question for money. */
export const MONEY = { en: 'I want my money back', zh: '我要退款' } as const;

/** A question that needs the logistics agent. */
export const PARCEL = { en: TOUR.en[1], zh: TOUR.zh[1] } as const;

/** A question that needs the stock. */
export const STOCK = { en: 'Are the blue earbuds in stock?', zh: '蓝色耳机还有货吗' } as const;

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
