import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ERRORS, type ErrorCode, ReachError } from './errors.ts';

const CODES = Object.keys(ERRORS) as ErrorCode[];
const PACKAGES = join(import.meta.dirname, '../../..');

/** The contract's table: codes, HTTP, retryable, executed (`–`: depends on the thrower). */
const CONTRACT = `
validation-failed, unsafe-json, idempotency-key-missing | 400 | no | no
unauthenticated, signature-invalid, replayed, key-revoked | 401 | no | no
permission-denied, tenant-mismatch, egress-blocked, identity-unmapped, policy-denied | 403 | no | no
capability-not-found, agent-not-found, task-not-found, not-found | 404 | no | no
instance-conflict, task-conflict, policy-conflict, ambiguous-match, outcome-unknown, lease-lost, confirmation-invalid | 409 | no | –
idempotency-in-progress | 409 | yes | no
payload-too-large | 413 | no | no
unsupported-media-type | 415 | no | no
stale-address | 421 | yes | no
idempotency-key-reused, timeout-order, manifest-refused, rule-refused | 422 | no | no
agent-rejected | 422 | no | yes
rate-limited, budget-paced, budget-exhausted | 429 | yes | no
cancelled | 499 | no | –
internal | 500 | no | unknown
agent-error, bad-response, schema-drift | 502 | by-effect | unknown
connect-failed | 502 | by-effect | no
agent-busy, circuit-open, fenced, draining, no-reachable-agent, overloaded, store-unavailable, storage-full | 503 | yes | no
deadline-exceeded | 504 | by-effect | unknown
call-too-deep, cycle-detected, call-budget-exceeded | 508 | no | no
`;

function contractRows(): Map<string, { http: number; retryable: unknown; executed: string }> {
  const lines = CONTRACT.trim().split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [codes = '', http, retryable = '', executed = ''] = line.split(' | ');
      const words: Record<string, boolean> = { yes: true, no: false };
      const row = { http: Number(http), retryable: words[retryable] ?? retryable, executed };
      return codes.split(', ').map((code) => [code, row] as const);
    }),
  );
}

/** Sources that can throw: not the table itself, not the lists of what operations answer. */
function throwingSources(): string {
  const files = globSync('*/src/**/*.ts', { cwd: PACKAGES }).filter(
    (file) => !/\.test\.ts$|\/testing\/|protocol\/(errors|operations\/)/.test(file),
  );
  assert.ok(files.length > 50, `only ${files.length} sources were found`);
  return files.map((file) => readFileSync(join(PACKAGES, file), 'utf8')).join('\n');
}

test('every code is thrown somewhere: one that nobody throws is a promise nobody keeps', () => {
  const sources = throwingSources();

  assert.deepEqual(
    CODES.filter((code) => !sources.includes(`'${code}'`)),
    [],
  );
});

test('a code that nobody throws would be found out', () => {
  const code = ['moon', 'phase'].join('-');

  assert.equal(throwingSources().includes(`'${code}'`), false);
});

test('each code has the status, the repeatability and the execution of the contract', () => {
  const contract = contractRows();
  for (const code of CODES) {
    const { http, retryable, executed } = ERRORS[code];
    const agreed = contract.get(code);

    assert.ok(agreed !== undefined, `${code} is not in the contract`);
    assert.equal(http, agreed.http, code);
    assert.equal(retryable, agreed.retryable, code);
    if (agreed.executed !== '–') assert.equal(executed, agreed.executed, code);
  }
});

test('each title is a sentence of its own', () => {
  const titles = CODES.map((code) => ERRORS[code].title);

  assert.equal(new Set(titles).size, titles.length);
  for (const title of titles) assert.match(title, /^[A-Z].*\.$/);
});

test('facts of the thrower outrank the table', () => {
  const plain = new ReachError('agent-error', 'It failed.');
  const told = new ReachError('agent-error', 'It failed.', { executed: 'yes', retryable: true });

  assert.deepEqual([plain.status, plain.executed, plain.retryable], [502, 'unknown', false]);
  assert.deepEqual([told.executed, told.retryable], ['yes', true]);
});

test('what may have run is never called repeatable by its code alone', () => {
  for (const code of CODES) {
    for (const executed of ['unknown', 'yes'] as const) {
      const error = new ReachError(code, 'It failed.', { executed });

      assert.equal(error.retryable, false, `${code}, executed ${executed}`);
    }
  }
});

test('what provably did not run may be repeated where the code allows it', () => {
  const may = CODES.filter((code) => {
    return new ReachError(code, 'It failed.', { executed: 'no' }).retryable;
  });

  assert.deepEqual(
    may,
    CODES.filter((code) => ERRORS[code].retryable === true || ERRORS[code].http === 502),
  );
});

test('a deadline that passed before anything was sent is not repeatable: there is no time left', () => {
  const error = new ReachError('deadline-exceeded', 'Too late.', { executed: 'no' });

  assert.equal(error.retryable, false);
});

test('an error of another copy of this module is known as one, anything else is not', () => {
  const brand = Symbol.for('agent-reach.error');

  assert.equal(ReachError.is(new ReachError('internal', 'x')), true);
  assert.equal(ReachError.is({ [brand]: true }), true);
  for (const other of [new Error('x'), null, undefined, 'internal', { code: 'internal' }]) {
    assert.equal(ReachError.is(other), false);
  }
});

test('a foreign error becomes internal: its text is kept for the log and from the caller', () => {
  const foreign = new Error('password=hunter2');
  const error = ReachError.from(foreign);

  assert.equal(error.code, 'internal');
  assert.equal(error.executed, 'unknown');
  assert.doesNotMatch(error.message, /hunter2/);
  assert.equal(error.cause, foreign);
});

test('an error of ours is not wrapped again', () => {
  const error = new ReachError('draining', 'It leaves.');

  assert.equal(ReachError.from(error), error);
});
