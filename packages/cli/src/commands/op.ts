import {
  type Operation,
  OPERATIONS,
  type OperationName,
  type StreamName,
  type UnaryName,
} from '@agent-reach/core';
import { UsageError } from '../failure.ts';
import { readJson, readSource } from '../input.ts';
import { json } from '../render/plain.ts';
import type { Column } from '../render/table.ts';
import type { Session } from '../session.ts';
import { untilStopped } from '../until-stopped.ts';
import type { Use } from '../use.ts';

/**
 * `reach op`: any operation of the table by its name, so that the command line is never behind the
 * API. Without a name it lists them.
 */
export async function runOperation(use: Use, session: Session): Promise<void> {
  const name = use.operand(0);
  if (name === undefined) {
    const rows = Object.entries(OPERATIONS) as [string, Operation][];
    session.list({ operations: rows.map(toData) }, rows, COLUMNS);
    return;
  }
  if (!isOperation(name)) throw unknownOperation(name);
  const input = await inputOf(use.operand(1), session);
  const { out } = session.world;
  const { stream }: Operation = OPERATIONS[name];
  if (stream !== undefined) {
    await readStream(name as StreamName, input, session);
    return;
  }
  const data = await session.ask(name as UnaryName, input);
  session.answer(data, () => `${json(data, out.isTerminal)}\n`);
}

/** A stream is printed as it comes: an event a line, or the text as it is. */
async function readStream(name: StreamName, input: object, session: Session): Promise<void> {
  const { out } = session.world;
  using going = untilStopped(session.world);
  await session.withReach(async (reach) => {
    const { signal } = going;
    if (name === 'routes.export') {
      for await (const piece of reach.routes.export(input, { signal })) out.write(piece);
      return;
    }
    for await (const event of reach.stream(name, input, { signal })) {
      out.write(`${json(event, false)}\n`);
    }
  });
}

async function inputOf(given: string | undefined, session: Session): Promise<object> {
  if (given === undefined) return {};
  const isSource = given === '-' || given.startsWith('@');
  const text = isSource ? await readSource(given.replace(/^@/, ''), session.world) : given;
  const input = readJson(text, 'The input');
  if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  throw new UsageError('The input of an operation is a JSON object.');
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

function unknownOperation(name: string): UsageError {
  const [noun = ''] = name.split('.');
  const near = Object.keys(OPERATIONS).filter((other) => other.startsWith(`${noun}.`));
  const hint = near.length > 0 ? near.join(', ') : '`reach op` lists them';
  return new UsageError(`There is no operation ${name}; there is: ${hint}.`);
}

function toData([name, { summary, method, path, effect, example }]: [string, Operation]) {
  return { name, summary, method, path, effect, example };
}

const COLUMNS: Column<[string, Operation]>[] = [
  { title: 'OPERATION', of: ([name]) => name },
  { title: 'WHAT IT DOES', of: ([, { summary }]) => summary, flexible: true },
  { title: 'INPUT', of: ([, { example }]) => JSON.stringify(example), flexible: true },
];
