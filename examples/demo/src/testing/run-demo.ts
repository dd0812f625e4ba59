import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../main.ts');
let runs = 0;

/**
 * Runs the demo with a temporary folder and a mark of its own, by which its processes are known.
 */
export function runDemo(...args: string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'demo-test-'));
  const mark = `DEMO_TEST_MARK=${process.pid}-${++runs}`;
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, TMPDIR: dir, DEMO_TEST_MARK: mark.split('=')[1] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk));
  return {
    child,
    text: () => text,
    /** Resolves when the demo has printed something. */
    async printed(what: string | RegExp) {
      while (text.search(what) < 0) await once(child.stdout, 'data');
    },
    /** How the demo ended; nothing of it may be left. */
    async ended() {
      const [code] = (await once(child, 'close')) as [number | null];
      assert.deepEqual(processesWith(mark), [], 'no process is left');
      const left = readdirSync(dir).filter((name) => name.startsWith('reach-demo-'));
      assert.deepEqual(left, [], 'no data folder is left');
      rmSync(dir, { recursive: true });
      return { code, text, errors };
    },
  };
}

/** The processes whose environment holds `mark`. Linux only; elsewhere there are none to see. */
function processesWith(mark: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
    } catch {
      return false; // It ended meanwhile, or is somebody else's.
    }
  });
}
