import {
  address,
  choice,
  decimal,
  duration,
  flag,
  integer,
  list,
  secret,
  text,
  type Values,
} from '@agent-reach/core/kernel';

/** Settings of what turns texts into vectors. */
export const EMBEDDER_OPTIONS = {
  kind: choice({
    key: 'routing.embedder.kind',
    words: ['none', 'openai', 'ollama', 'tei', 'model2vec', 'transformers'],
    default: 'none',
    doc: 'What turns intents and descriptions into vectors, so that what says the same in other words, or in another language, is found. `none`: nothing, and nothing is needed. `openai`: a server that speaks `/v1/embeddings`. `ollama`: its `/api/embed`. `tei`: Text Embeddings Inference. `model2vec`: a table in a folder, read into memory. `transformers`: a model that runs in this process (`npm install @huggingface/transformers`, half a gigabyte). Intents then go to that server, without numbers and addresses.',
  }),
  url: address({
    key: 'routing.embedder.url',
    default: '',
    form: 'an http or https URL without a user or a password',
    parse: serverUrl,
    doc: 'Where the server of `openai`, `ollama` or `tei` is, such as http://127.0.0.1:11434. Fetched as `egress.allow` lets it; no redirect is followed.',
  }),
  model: text({
    key: 'routing.embedder.model',
    default: '',
    doc: 'Its name at the server; for `model2vec` the folder with `model.safetensors` and `tokenizer.json`; for `transformers` the folder with `config.json`, `tokenizer.json` and `onnx/`, or a name in the hub. For Chinese and English: Xenova/paraphrase-multilingual-MiniLM-L12-v2.',
  }),
  key: secret({
    key: 'routing.embedder.key',
    default: '',
    doc: 'Sent to the server as a bearer token. Never shown or logged.',
  }),
  languages: list({
    key: 'routing.embedder.languages',
    default: ['zh', 'en'],
    doc: 'Which languages it is said to know, of zh and en. Each is tested with a dozen built-in pairs before it counts; texts in a language that it does not know count by their words alone.',
  }),
  timeoutMs: duration({
    key: 'routing.embedder.timeout',
    default: 150,
    min: 1,
    max: 5_000,
    doc: 'How long a decision waits for the vector of its intent; then it is made without. What a name decides never waits. Longer makes each first-heard intent as much later while the embedder is slow.',
  }),
  batch: integer({
    key: 'routing.embedder.batch',
    default: 10,
    min: 1,
    max: 256,
    doc: 'Texts in one request. Some servers take 10 at most; more makes the start quicker.',
  }),
  share: decimal({
    key: 'routing.embedder.share',
    default: 0.5,
    min: 0,
    max: 0.8,
    doc: 'What vectors count at most beside words and spelling. An embedder gets of it what its test gives: all of it if it told every pair apart, none if it told half.',
  }),
  queryPrefix: text({
    key: 'routing.embedder.query.prefix',
    default: '',
    doc: 'Written before an intent, for models that want it (`query: ` for E5).',
  }),
  passagePrefix: text({
    key: 'routing.embedder.passage.prefix',
    default: '',
    doc: 'Written before a description (`passage: ` for E5).',
  }),
  memoryMb: integer({
    key: 'routing.embedder.memory',
    default: 128,
    min: 1,
    max: 16_384,
    doc: 'Megabytes for vectors of descriptions; as much again keeps those of single texts for their next use. A description of 384 numbers takes 1.5 KB. What is beyond counts by its words alone.',
  }),
  remote: flag({
    key: 'routing.embedder.remote',
    default: false,
    doc: 'Whether `transformers` may fetch a model from the hub, kept in the folder `models` of `data.dir`. Its hosts must be in `egress.allow`.',
  }),
  dtype: choice({
    key: 'routing.embedder.dtype',
    words: ['q8', 'int8', 'uint8', 'q4', 'fp16', 'fp32'],
    default: 'q8',
    doc: 'Which file of a model `transformers` loads: `q8` a quarter of the size of `fp32`, for a little less precision.',
  }),
  pooling: choice({
    key: 'routing.embedder.pooling',
    words: ['mean', 'cls'],
    default: 'mean',
    doc: 'How `transformers` makes one vector of a text: as the model was trained. BGE wants `cls`, most others `mean`.',
  }),
} as const;

/** What these settings say. */
export type EmbedderSettings = Values<typeof EMBEDDER_OPTIONS>;

function serverUrl(said: string): URL | undefined {
  const url = URL.parse(said);
  const isServer = url !== null && /^https?:$/.test(url.protocol);
  return isServer && url.username === '' && url.password === '' ? url : undefined;
}
