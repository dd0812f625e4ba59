import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { testRandom } from '@agent-reach/core/testing';
import { databaseOf } from './open.ts';
import { type Answered, assertChainWhole, assertNoHalves, MOVES } from './testing/crash-moves.ts';
import { tempDirs } from './testing/kit.ts';
import { assertTasksWhole } from './testing/tasks-whole.ts';

const dirs = tempDirs();
const WRITER = join(import.meta.dirname, 'testing', 'crash-writer.ts');
const ROUNDS = 10;

/** Starts a writer; `lines` grows by what it says, a line a move that was answered. */
function startWriter(...args: string[]): { child: ChildProcess; lines: string[] } {
  const child = spawn(process.execPath, [WRITER, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return { child, lines };
}

async function firstLine({ child, lines }: ReturnType<typeof startWriter>): Promise<void> {
  while (lines.length === 0) {
    assert.equal(child.exitCode, null, 'the writer died before its first move');
    await pause(2);
  }
}

// Two stores rather than one twice as long: a test that takes half a minute hides which half hangs.
for (const life of ['one store', 'another store']) {
  test(`kill -9 in a stream of writes loses nothing that was answered: ${life}`, async (t) => {
    const random = testRandom((line) => t.diagnostic(line));
    const dir = dirs.make();
    const answered: Answered[] = [];

    for (let round = 0; round < ROUNDS; round++) {
      const writer = startWriter(dir, String(round), '20');
      await firstLine(writer);
      await pause(random.below(120));
      writer.child.kill('SIGKILL');
      await once(writer.child, 'close');
      const told = writer.lines.map((line) => JSON.parse(line) as Answered);
      answered.push(...told);

      await using storage = await dirs.open(dir);
      for (const { kind, id } of told) await MOVES[kind].check(storage, id);
      const db = databaseOf(storage);
      assert.ok(db);
      assertNoHalves(db);
      assertTasksWhole(storage);
      await assertChainWhole(storage);
    }

    await using storage = await dirs.open(dir);
    for (const { kind, id } of answered) await MOVES[kind].check(storage, id);
    t.diagnostic(`${answered.length} answered moves, ${ROUNDS} kills, none lost`);
  });
}

test('another process is refused while the holder lives, and welcome once it is killed', async () => {
  const dir = dirs.make();
  const writer = startWriter(dir, '0', '1');
  await firstLine(writer);

  await assert.rejects(dirs.open(dir), {
    code: 'store-unavailable',
    message: new RegExp(`held by process ${writer.child.pid} on ${hostname()}\\. Stop`),
  });

  writer.child.kill('SIGKILL');
  await once(writer.child, 'close');
  await using storage = await dirs.open(dir);
  assert.equal(storage.driver, 'sqlite');
});

test('the log is synced before a move is answered', { skip: noStrace() }, async () => {
  const dir = dirs.make();
  const log = join(dirs.make(), 'strace.txt');
  const moves = 25;
  const strace = ['-f', '-y', '-s', '64', '-e', 'trace=fsync,fdatasync,write', '-o', log];

  const command = [...strace, process.execPath, WRITER, dir, '0', '1', String(moves)];
  const child = spawn('strace', command, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'close');
  assert.equal(code, 0);

  const syncsBefore = syncsBeforeEachAnswer(readFileSync(log, 'utf8'));
  assert.equal(syncsBefore.length, moves);
  for (const [move, syncs] of syncsBefore.entries()) assert.ok(syncs >= 1, `answer ${move}`);
});

/** How often the log had been synced, and the sync had ended, between one answer and the next. */
function syncsBeforeEachAnswer(trace: string): number[] {
  const answers: number[] = [];
  const begun = new Set<string>();
  let syncs = 0;
  for (const line of trace.split('\n')) {
    const [thread = ''] = line.split(' ', 1);
    if (/ f(data)?sync\(\d+<[^>]*reach\.db-wal>/.test(line)) {
      if (line.endsWith('<unfinished ...>')) begun.add(thread);
      else syncs += 1;
    } else if (/<\.\.\. f(data)?sync resumed>/.test(line)) {
      if (begun.delete(thread)) syncs += 1;
    } else if (/ write\(1<[^>]*>, "\{\\"kind\\"/.test(line)) {
      answers.push(syncs);
      syncs = 0;
    }
  }
  return answers;
}

/** Why the syncs cannot be counted here; false when they can. */
function noStrace(): string | false {
  const { error, status } = spawnSync('strace', ['-o', '/dev/null', 'true']);
  if (error !== undefined) return 'strace is not installed';
  return status === 0 ? false : 'strace may not trace here';
}
