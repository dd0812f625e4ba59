import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Ran } from './run.ts';

/** The file that `reach` is. */
export const REACH = join(import.meta.dirname, '../../bin/reach.mjs');

/** Where and how a process runs. */
export interface Settings {
  cwd?: string;
  env?: Record<string, string>;
  /** Flags of node itself. */
  node?: readonly string[];
}

function start(args: readonly string[], { cwd, env, node = [] }: Settings): ChildProcess {
  const { REACH_ENDPOINT: _, ...inherited } = process.env;
  return spawn(process.execPath, [...node, REACH, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs `reach` as a process of its own, to its end. */
export async function reach(args: readonly string[], settings: Settings = {}): Promise<Ran> {
  const child = start(args, settings);
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const [out, err, [code]] = await Promise.all([
    child.stdout ? text(child.stdout) : '',
    child.stderr ? text(child.stderr) : '',
    ended,
  ]);
  return { code: code ?? -1, out, err };
}

/** A gateway in a process of its own. */
export interface Served extends AsyncDisposable {
  /** What `reach serve --json` printed. */
  told: { listeners: { role: string; url: string }[]; data: string[]; pid: number };
  signal(signal: 'SIGTERM'): void;
  /** Sends the signal; the exit code, and null from one that a signal killed. */
  stop(signal: 'SIGTERM' | 'SIGINT'): Promise<number | null>;
}

/** Starts `reach serve --json` on free ports and waits for the line that says where it listens. */
export async function serveIn(dir: string): Promise<Served> {
  const ports = ['--port', '0', '--agent-port', '0'];
  const child = start(['serve', '--json', ...ports, '--data-dir', dir], { cwd: dir });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  if (child.stdout === null || child.stderr === null) throw new Error('The pipes are missing.');
  const complaints = text(child.stderr);
  const first = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  const [line] = first as [unknown];
  if (typeof line !== 'string') throw new Error(`reach serve ended: ${await complaints}`);
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [code] = await ended;
    return code;
  };
  return {
    told: JSON.parse(line) as Served['told'],
    signal: (signal) => void child.kill(signal),
    stop,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) await stop('SIGKILL');
    },
  };
}
