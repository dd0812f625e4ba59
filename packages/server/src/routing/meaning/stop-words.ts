const ENGLISH =
  'a an the and or of to for from in on at by with as is are was were be been am do does did can could will would should shall may please i me my we us our you your he him his she her it its they them their this that these those there what which how who when why not no s t m d re ll ve';
const CHINESE =
  '的 了 吗 呢 啊 吧 呀 嘛 我 你 您 他 她 它 我们 你们 他们 请 帮 帮我 给我 一下 把 给 在 是 和 与 或 有 这 那 个 到 就 也 都 要 想';

/** Words that say nothing of what is wanted. */
export const STOP_WORDS: ReadonlySet<string> = new Set(`${ENGLISH} ${CHINESE}`.split(' '));
