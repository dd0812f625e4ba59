import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { ReachError } from '@agent-reach/sdk';
import { FORBIDDEN } from './access.ts';
import { freezeAndThaw } from './freeze.ts';
import { House } from './house.ts';
import { printLabels } from './labels/scene.ts';
import { askBack } from './meant.ts';
import { refundOnce } from './refund.ts';
import { type DemoOptions, readOptions, USAGE } from './options.ts';
import { paintFor } from './paint.ts';
import { askTheShop, openShop } from './shop/scene.ts';
import { screenOf } from './progress.ts';
import type { Reply } from './reply.ts';
import { ask, type Scene, type Stage } from './show.ts';
import { MORE, PARCEL, TEXTS, TOUR } from './texts.ts';

// The story of seed A §1.1. A customer asks why the phone has not shipped; the customer service
// finds out from the agents that know. Then the one that knows parcels is killed, and the next
// answer says so at once instead of hanging; and when it is back, it is simply used again. Then
// two of three that count the stock freeze, and are left alone until they are well. At last comes
// work that nobody waits for: tasks, of which none is lost and none is done twice.

/** Runs the demo; its exit code. */
async function demo(options: DemoOptions, stop: AbortSignal): Promise<number> {
  const { language } = options;
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const paint = paintFor(process.stdout.isTTY, process.env);
  const stage: Stage = {
    print,
    paint,
    language,
    screen: screenOf(process.stdout, process.env, paint),
  };
  const texts = TEXTS[language];
  const start = performance.now();
  const scene: Scene = { stage, stop };
  await using house = await open(options, scene);
  if (stop.aborted) return 0;
  print(texts.ready(house.endpoint, performance.now() - start));

  const isAsTold = await tell(options, house, scene);
  if (!isAsTold) print(stage.paint('red', texts.unexpected));
  if (options.keep && !stop.aborted) {
    tryYourself(house, stage);
    await once(stop, 'abort');
  }
  return isAsTold ? 0 : 1;
}

async function open({ shop, secure }: DemoOptions, scene: Scene): Promise<House> {
  if (shop !== undefined) return openShop(shop, scene);
  const { print, language } = scene.stage;
  print(TEXTS[language].starting);
  return House.open({ isSecure: secure });
}

/** The questions of a shop, or the story, scene by scene. False when any of it went otherwise. */
async function tell(options: DemoOptions, house: House, scene: Scene): Promise<boolean> {
  const { stage, stop } = scene;
  if (options.shop !== undefined) return askTheShop(options.shop, house, scene);
  const asked = await askAll(options, house, scene);
  const isAskedBack = stop.aborted || options.secure || (await askBack(house, stage));
  const isRefused = stop.aborted || !options.secure || (await askWhatIsForbidden(house, stage));
  const isRefunded = stop.aborted || !options.secure || (await refundOnce(house, stage));
  const isAnswered = stop.aborted || (await killAndAskAgain(asked, house, scene));
  const isFenced = stop.aborted || (await freezeAndThaw(house, scene));
  const isPrinted = stop.aborted || (await printLabels(options.tasks, house, scene));
  return isAskedBack && isRefused && isRefunded && isAnswered && isFenced && isPrinted;
}

/** A question and what came of it. */
interface Asked {
  question: string;
  reply: Reply | undefined;
}

async function askAll(
  { questions, language }: DemoOptions,
  { reach }: House,
  { stage, stop }: Scene,
): Promise<Asked[]> {
  const asked: Asked[] = [];
  const next = async (question: string) => {
    if (stop.aborted) return;
    asked.push({ question, reply: await ask(question, reach, stage) });
  };
  for (const question of questions ?? TOUR[language]) await next(question);
  if (questions === undefined && process.stdin.isTTY) await prompt(stage, stop, next);
  return asked;
}

/** Takes questions from the keyboard until there is an empty one. */
async function prompt(
  { print, language }: Stage,
  stop: AbortSignal,
  next: (question: string) => Promise<void>,
): Promise<void> {
  print('');
  print(TEXTS[language].listed);
  for (const one of [...TOUR[language].slice(0, 3), ...MORE[language]]) print(`  ${one}`);
  const keyboard = createInterface({ input: process.stdin, output: process.stdout });
  // On a terminal in raw mode Ctrl-C is a key, not a signal.
  keyboard.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  keyboard.on('close', () => print(''));
  try {
    for (;;) {
      const line = await keyboard.question(TEXTS[language].prompt, { signal: stop });
      if (line.trim() === '') return;
      await next(line.trim());
    }
  } catch (error) {
    // Ctrl-D, or the demo was told to stop: both end the questions.
    if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
  } finally {
    keyboard.close();
  }
}

/** Asks for what the demo was not granted, though it is there. False when it was not refused. */
async function askWhatIsForbidden({ reach }: House, stage: Stage): Promise<boolean> {
  const { print, paint, language } = stage;
  print('');
  print(paint('yellow', TEXTS[language].forbidden(FORBIDDEN)));
  try {
    await reach.call(FORBIDDEN, { sku: 'PHONE-15' });
    return false;
  } catch (error) {
    if (!ReachError.is(error)) throw error;
    print(paint('red', `✗ ${error.status} ${error.code}: ${error.message}`));
    return error.code === 'permission-denied';
  }
}

/**
 * Kills the logistics agent, asks what needs it, and starts it again. False when that went wrong.
 */
async function killAndAskAgain(
  asked: readonly Asked[],
  house: House,
  { stage, stop }: Scene,
): Promise<boolean> {
  const { print, paint, language } = stage;
  const texts = TEXTS[language];
  const about = asked.findLast(({ reply }) => reply?.consulted.includes('track_shipment'));
  const question = about?.question ?? PARCEL[language];
  print('');
  print(paint('yellow', texts.killing));
  await house.killAgent('logistics');
  const start = performance.now();
  const during = await ask(question, house.reach, stage);
  const trouble = during?.trouble;
  const isTold =
    trouble?.code === 'no-reachable-agent' &&
    trouble.agent === 'logistics' &&
    trouble.last_seen !== undefined &&
    performance.now() - start < 1_000;
  if (stop.aborted) return true;

  print('');
  print(paint('yellow', texts.restarting));
  await house.startAgent('logistics');
  const after = await ask(question, house.reach, stage);
  return isTold && after !== undefined && after.trouble === undefined;
}

function tryYourself({ endpoint, adminToken }: House, { print, paint, language }: Stage): void {
  const call = {
    capability: 'answer_question',
    params: { question: PARCEL[language], language },
  };
  print('');
  print(paint('bold', TEXTS[language].kept));
  if (adminToken !== undefined) {
    print(`  export REACH_TOKEN=${adminToken} REACH_ENDPOINT=${endpoint}`);
    for (const line of ['clients list', 'grants get', 'confirmations list'])
      print(`  npx reach ${line}`);
    return;
  }
  print(`  curl -s ${endpoint}/v1/calls -H 'content-type: application/json' \\`);
  print(`    -d '${JSON.stringify(call)}'`);
  print(`  curl -s '${endpoint}/v1/agents?available=true'`);
  print(`  REACH_ENDPOINT=${endpoint} npx reach agents list`);
  print(`  REACH_ENDPOINT=${endpoint} npx reach diagnose logistics`);
  print(`  REACH_ENDPOINT=${endpoint} npx reach tasks submit print_label '{"parcel":7}' --wait`);
}

/**
 * Aborted at the first signal to end. Ctrl-C under npm comes twice, so a second one means nothing.
 */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => stop.abort());
  }
  return stop.signal;
}

/** The options, or undefined after it was said what is wrong with the command line. */
function optionsOrUsage(): DemoOptions | undefined {
  try {
    return readOptions(process.argv.slice(2), process.env);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return undefined;
  }
}

const options = optionsOrUsage();
if (options === undefined) process.exitCode = 2;
else if (options.help) process.stdout.write(USAGE);
else process.exitCode = await demo(options, stopSignal());
