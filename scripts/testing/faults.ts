import type { Files } from './small-house.ts';

/** One thing done wrong, and the one rule that must say so. */
export interface Fault {
  what: string;
  rule: string;
  /** Where the rule must point, if the files planted are not the files to blame. */
  blames?: string;
  files: Files;
}

const SRC = 'packages/server/src';

const ROOM_FAULTS: readonly Fault[] = [
  {
    what: 'an arrow up',
    rule: 'arrow-up',
    files: { [`${SRC}/telemetry/up.ts`]: `export { call } from '../pipeline/call.ts';\n` },
  },
  {
    what: 'an arrow up that carries only a type',
    rule: 'arrow-up',
    files: { [`${SRC}/policy/up.ts`]: `export type { Call } from '../pipeline/call.ts';\n` },
  },
  {
    what: 'an arrow up that is an import() type',
    rule: 'arrow-up',
    files: {
      [`${SRC}/routing/up.ts`]: `export type Up = import('../pipeline/call.ts').Call;\n`,
    },
  },
  {
    what: 'an arrow down that the table does not list',
    rule: 'arrow-unlisted',
    files: { [`${SRC}/calls/down.ts`]: `export type { Store } from '../storage/spi/store.ts';\n` },
  },
  {
    what: 'a room that the table does not know',
    rule: 'room-unknown',
    files: { [`${SRC}/attic/box.ts`]: `export const box = 1;\n` },
  },
  {
    what: 'a file in no room at all',
    rule: 'room-unknown',
    files: { [`${SRC}/storage/box.ts`]: `export const box = 1;\n` },
  },
  {
    what: 'a circle made of types only',
    rule: 'no-circle',
    files: {
      [`${SRC}/schemas/left.ts`]: `import type { Right } from './right.ts';

export interface Left {
  right?: Right;
}
`,
      [`${SRC}/schemas/right.ts`]: `import type { Left } from './left.ts';

export interface Right {
  left?: Left;
}
`,
    },
  },
  {
    what: 'a barrel inside the server',
    rule: 'index-in-server',
    files: { [`${SRC}/registry/index.ts`]: `export const shelf = 1;\n` },
  },
  {
    what: 'a utils folder',
    rule: 'bucket-folder',
    files: { [`${SRC}/tasks/utils/pad.ts`]: `export const pad = 1;\n` },
  },
  {
    what: 'outbound imported by a room',
    rule: 'outbound-is-injected',
    files: { [`${SRC}/egress/http.ts`]: `export { Agent } from '../outbound/guard.ts';\n` },
  },
  {
    what: 'a driver opened outside main',
    rule: 'driver-outside-main',
    files: { [`${SRC}/tasks/store.ts`]: `export { open } from '../storage/sqlite/driver.ts';\n` },
  },
  {
    what: 'the test kit in production',
    rule: 'test-kit-in-production',
    files: { [`${SRC}/resilience/kit.ts`]: `export { seed } from '@agent-reach/core/testing';\n` },
  },
  {
    what: 'the contract suite in production',
    rule: 'contract-outside-driver-test',
    files: {
      [`${SRC}/main/suite.ts`]: `export { exercise } from '../storage/contract/exercise.ts';\n`,
    },
  },
];

const PACKAGE_FAULTS: readonly Fault[] = [
  {
    what: 'a package that imports one above it',
    rule: 'package-arrow',
    files: { 'packages/core/src/protocol/up.ts': `export { serve } from '@agent-reach/server';\n` },
  },
  {
    what: 'an import past the door of another package',
    rule: 'past-the-door',
    files: {
      'packages/cli/src/deep.ts': `export { call } from '../../server/src/pipeline/call.ts';\n`,
    },
  },
  {
    what: 'a third-party dependency away from home',
    rule: 'away-from-home',
    files: { [`${SRC}/registry/http.ts`]: `export type { Dispatcher } from 'undici';\n` },
  },
  {
    what: 'a built-in away from home',
    rule: 'away-from-home',
    files: { [`${SRC}/registry/sql.ts`]: `export { DatabaseSync } from 'node:sqlite';\n` },
  },
  {
    what: 'a dependency that is loaded lazily, away from home',
    rule: 'away-from-home',
    files: { [`${SRC}/registry/lazy.ts`]: `export const load = () => import('fastify');\n` },
  },
  {
    what: 'a dependency without a home',
    rule: 'no-home',
    files: { [`${SRC}/main/ast.ts`]: `export type { Node } from 'typescript';\n` },
  },
  {
    what: 'a dependency that the package does not declare',
    rule: 'undeclared-dependency',
    files: {
      'packages/sdk/package.json': `{
  "name": "@agent-reach/sdk",
  "type": "module",
  "exports": { ".": "./src/index.ts" },
  "dependencies": { "@agent-reach/core": "0.1.0" }
}
`,
      'packages/sdk/src/http.ts': `export type { Dispatcher } from 'undici';\n`,
    },
  },
];

const TYPE_FAULTS: readonly Fault[] = [
  {
    what: 'a type error',
    rule: 'TS2322',
    files: { [`${SRC}/main/type-error.ts`]: `export const count: number = 'one';\n` },
  },
  {
    what: 'an unused local',
    rule: 'TS6133',
    files: { [`${SRC}/main/unused.ts`]: `const unused = 1;\nexport const used = 1;\n` },
  },
  {
    what: 'a floating promise',
    rule: 'no-floating-promises',
    files: {
      [`${SRC}/main/floating.ts`]: `export function start(work: () => Promise<void>): void {
  work();
}
`,
    },
  },
  {
    what: 'a promise where nobody waits',
    rule: 'no-misused-promises',
    files: {
      [`${SRC}/main/misused.ts`]: `export function start(work: () => Promise<void>): void {
  [1].forEach(work);
}
`,
    },
  },
  {
    what: 'a switch that forgets a state',
    rule: 'switch-exhaustiveness-check',
    files: {
      [`${SRC}/main/switch.ts`]: `export function show(state: 'up' | 'gone', say: (text: string) => void): void {
  switch (state) {
    case 'up':
      say(state);
  }
}
`,
    },
  },
  {
    what: 'any',
    rule: 'no-explicit-any',
    files: { [`${SRC}/main/any.ts`]: `export const same = (value: any) => [value];\n` },
  },
  {
    what: 'something thrown that is no error',
    rule: 'only-throw-error',
    files: {
      [`${SRC}/main/throw.ts`]: `export function fail(): never {
  throw 'no';
}
`,
    },
  },
];

const STYLE_FAULTS: readonly Fault[] = [
  {
    what: 'a default export',
    rule: 'no-default-export',
    files: { [`${SRC}/main/default.ts`]: `const house = 1;\nexport default house;\n` },
  },
  {
    what: 'a loose comparison',
    rule: 'eqeqeq',
    files: {
      [`${SRC}/main/loose.ts`]: `export const isSame = (a: string, b: string) => a == b;\n`,
    },
  },
  {
    what: 'a let that never changes',
    rule: 'prefer-const',
    files: { [`${SRC}/main/let.ts`]: `let one = 1;\nexport const two = one + one;\n` },
  },
  {
    what: 'an empty catch',
    rule: 'no-empty',
    files: {
      [`${SRC}/main/empty.ts`]: `export function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}
`,
    },
  },
  {
    what: 'an import that no tool can follow',
    rule: 'no-dynamic-require',
    files: {
      [`${SRC}/main/dynamic.ts`]: `export const load = (name: string): Promise<unknown> => import(name);\n`,
    },
  },
  {
    what: 'console in the server',
    rule: 'no-console',
    files: { [`${SRC}/main/console.ts`]: `export const say = () => console.log('hello');\n` },
  },
  {
    what: 'a file name that is not kebab-case',
    rule: 'filename-case',
    files: { [`${SRC}/main/camelCase.ts`]: `export const hump = 1;\n` },
  },
  {
    what: 'a suppression that suppresses nothing',
    rule: 'unused-directive',
    files: {
      [`${SRC}/main/directive.ts`]: `// oxlint-disable-next-line no-console\nexport const quiet = 1;\n`,
    },
  },
  {
    what: 'unformatted code',
    rule: 'format',
    files: { [`${SRC}/main/format.ts`]: `export const wide   =  "quotes"\n` },
  },
  {
    what: 'a generated page that is stale',
    rule: 'stale-page',
    blames: 'docs/reference/api.md',
    files: {
      'scripts/docs.ts': `export async function check(): Promise<string[]> {
  return Promise.resolve(['docs/reference/api.md']);
}
`,
    },
  },
];

const SIZE_FAULTS: readonly Fault[] = [
  {
    what: 'a file of 401 lines',
    rule: 'max-lines',
    files: {
      [`${SRC}/main/long-file.ts`]: '// A line.\n'.repeat(400) + 'export const last = 1;\n',
    },
  },
  {
    what: 'a function of 71 lines',
    rule: 'max-lines-per-function',
    files: {
      [`${SRC}/main/long-function.ts`]: `export function long(): void {\n${'  // A line.\n'.repeat(69)}}\n`,
    },
  },
  {
    what: 'five parameters',
    rule: 'max-params',
    files: {
      [`${SRC}/main/wide.ts`]: `export const sum = (a: number, b: number, c: number, d: number, e: number) => a + b + c + d + e;\n`,
    },
  },
];

/** Time and chance that no test could own. */
const AMBIENT_FAULTS: readonly Fault[] = [
  ambient('a moment read from Date', 'no-restricted-globals', 'date', 'Date.now()'),
  ambient('a Date made', 'no-restricted-globals', 'new-date', 'new Date(0)'),
  ambient(
    'a global reached through globalThis',
    'no-restricted-globals',
    'hidden',
    'globalThis.Date',
  ),
  ambient('a timer', 'no-restricted-globals', 'timer', 'setTimeout(() => {}, 1)'),
  ambient('a duration measured', 'no-restricted-globals', 'measure', 'performance.now()'),
  ambient('the global crypto', 'no-restricted-globals', 'uuid', 'crypto.randomUUID()'),
  ambient('a request past the guard', 'no-restricted-globals', 'request', `fetch('http://a')`),
  ambient('Math.random', 'no-restricted-properties', 'chance', 'Math.random()'),
  ambient(
    'a timer inside a signal',
    'no-restricted-properties',
    'signal',
    'AbortSignal.timeout(1)',
  ),
  {
    what: 'Date as a type',
    rule: 'no-restricted-types',
    files: {
      [`${SRC}/main/date-type.ts`]: `export const show = (at: Date) => at.toISOString();\n`,
    },
  },
  {
    what: 'chance from node:crypto',
    rule: 'no-restricted-imports',
    files: { [`${SRC}/main/bytes.ts`]: `export { randomBytes } from 'node:crypto';\n` },
  },
  {
    what: 'a timer from node:timers/promises',
    rule: 'no-restricted-imports',
    files: {
      [`${SRC}/main/sleep.ts`]: `export { setTimeout as sleep } from 'node:timers/promises';\n`,
    },
  },
];

function ambient(what: string, rule: string, file: string, expression: string): Fault {
  const text = `export const take = () => ${expression};\n`;
  return { what, rule, files: { [`${SRC}/main/ambient-${file}.ts`]: text } };
}

/** At least one fault for each rule of the gate. No two touch the same file. */
export const FAULTS: readonly Fault[] = [
  ...ROOM_FAULTS,
  ...PACKAGE_FAULTS,
  ...TYPE_FAULTS,
  ...STYLE_FAULTS,
  ...SIZE_FAULTS,
  ...AMBIENT_FAULTS,
];
