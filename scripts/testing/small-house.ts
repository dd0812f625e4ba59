/**
 * A house of a dozen files, laid out like the real one and judged by the real configuration, for
 * planting faults in. What it contains is what the rules must let pass.
 */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGES: readonly string[] = ['core', 'server', 'sdk', 'cli'];
const SHARED: readonly string[] = [
  'package.json',
  'tsconfig.json',
  'biome.json',
  '.oxlintrc.json',
  ...PACKAGES.map((name) => `packages/${name}/package.json`),
];

/** Paths and contents. */
export type Files = Readonly<Record<string, string>>;

const CORE: Files = {
  'packages/core/src/index.ts': `export { type Name, nameOf } from './protocol/name.ts';\n`,
  'packages/core/src/protocol/name.ts': `import { type Static, Type } from 'typebox';

export const Name = Type.String();
export type Name = Static<typeof Name>;

export function nameOf(text: string): Name {
  return text;
}
`,
  'packages/core/src/kernel/index.ts': `import { randomBytes } from 'node:crypto';

export const now = () => Date.now();
export const wake = (run: () => void) => setTimeout(run, 1);
export const chance = () => randomBytes(1)[0] ?? 0;
`,
  'packages/core/src/testing/index.ts': `import { now } from '../kernel/index.ts';

export const seed = () => now() * Math.random();
`,
};

const SERVER: Files = {
  'packages/server/src/storage/spi/store.ts': `export interface Store {
  readonly name: string;
}
`,
  'packages/server/src/storage/contract/exercise.ts': `import { test } from 'node:test';
import { seed } from '@agent-reach/core/testing';
import type { Store } from '../spi/store.ts';

export function exercise(store: Store): void {
  test(store.name, () => {
    seed();
  });
}
`,
  'packages/server/src/storage/sqlite/driver.ts': `import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../spi/store.ts';

export function open(path: string): Store {
  return { name: new DatabaseSync(path).location() ?? path };
}
`,
  'packages/server/src/storage/sqlite/driver.contract.test.ts': `import { exercise } from '../contract/exercise.ts';
import { open } from './driver.ts';

exercise(open(':memory:'));
`,
  'packages/server/src/outbound/guard.ts': `export { Agent } from 'undici';\n`,
  'packages/server/src/pipeline/call.ts': `import { createHash } from 'node:crypto';
import { nameOf } from '@agent-reach/core';

export interface Call {
  name: string;
}

export function call(name: string): Call {
  return { name: nameOf(createHash('sha256').update(name).digest('hex')) };
}
`,
  'packages/server/src/registry/lease.test.ts': `import test from 'node:test';
import { seed } from '@agent-reach/core/testing';
import fc from 'fast-check';
import { Agent } from '../outbound/guard.ts';
import { call } from '../pipeline/call.ts';
import { open } from '../storage/sqlite/driver.ts';

test('a test may set any stage', async () => {
  fc.assert(fc.property(fc.string(), (name) => call(name).name !== name));
  open(\`:memory:\${seed()}\`);
  await new Agent().close();
});
`,
  'packages/server/src/main/door.ts': `import { Agent } from '../outbound/guard.ts';
import { call } from '../pipeline/call.ts';
import { open } from '../storage/sqlite/driver.ts';

export const serve = () => [Agent, call, open];
`,
  'packages/server/src/main/at-the-limits.ts': atTheLimits(),
};

const AROUND: Files = {
  'packages/sdk/src/index.ts': `export { nameOf } from '@agent-reach/core';\n`,
  'packages/cli/src/bin.ts': `import { serve } from '@agent-reach/server';

console.log(serve());
`,
  'examples/demo/src/main.ts': `import { nameOf } from '@agent-reach/sdk';

console.log(nameOf('demo'), new Date());
`,
  'scripts/docs.ts': `export async function check(): Promise<string[]> {
  return Promise.resolve([]);
}
`,
};

/** 400 lines, with a function of 70 lines and four parameters: the most that is allowed. */
function atTheLimits(): string {
  const head = 'export function long(a: number, b: number, c: number, d: number): number {\n';
  const body = `${'  // A line.\n'.repeat(67)}  return a + b + c + d;\n}\n`;
  return `${'// A line.\n'.repeat(330)}${head}${body}`;
}

/** A tree in the system's temporary folder; gone when disposed. */
export interface SmallHouse extends Disposable {
  root: string;
  /** Writes files over what is there. */
  write(files: Files): void;
  /** Takes the files away, and brings back what stood there at first. */
  restore(files: Files): void;
}

/** Builds the house. Its tools are the real ones; its packages are its own. */
export function buildSmallHouse(): SmallHouse {
  const root = mkdtempSync(join(tmpdir(), 'reach-small-house-'));
  const settings = SHARED.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]);
  const sound: Files = { ...Object.fromEntries(settings), ...CORE, ...SERVER, ...AROUND };
  const write = (files: Files) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  linkModules(root);
  write(sound);
  return {
    root,
    write,
    restore(files) {
      for (const path of Object.keys(files)) {
        if (sound[path] === undefined) rmSync(join(root, path));
        else write({ [path]: sound[path] });
      }
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true }),
  };
}

/**
 * Links installed packages one by one, and our own to the small house: a link of the whole folder
 * would lead every `@agent-reach/…` import back to the real packages.
 */
function linkModules(root: string): void {
  const own = join(root, 'node_modules/@agent-reach');
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name === '@agent-reach') continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
  }
  for (const name of PACKAGES) symlinkSync(join(root, 'packages', name), join(own, name));
}
