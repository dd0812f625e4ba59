/**
 * The gate is only as good as its refusals. Plants every fault in a small house, runs the real gate
 * once, and demands of each fault exactly its rule; then takes them out and demands green.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { FAULTS } from './testing/faults.ts';
import { buildSmallHouse } from './testing/small-house.ts';

const CHECK = join(import.meta.dirname, 'check.ts');

interface Finding {
  rule: string;
  file: string;
}

interface Outcome {
  code: number | null;
  text: string;
  findings: Finding[];
}

function runCheck(root: string, ...sets: string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK, ...sets], {
    cwd: root,
    encoding: 'utf8',
  });
  return { code: status, text: `${stdout}${stderr}`, findings: readFindings(stdout) };
}

/** Reads what a person reads: a rule's name, then its places. */
function readFindings(output: string): Finding[] {
  let rule = '';
  return output.split('\n').flatMap((line) => {
    rule = /^(\S+) \(\w+\)$/.exec(line)?.[1] ?? rule;
    const file = /^ {2}(\S+?):\d+ {2}/.exec(line)?.[1];
    return file === undefined ? [] : [{ rule, file }];
  });
}

suite('npm run check', () => {
  using house = buildSmallHouse();
  for (const { files } of FAULTS) house.write(files);
  const faulty = runCheck(house.root);
  for (const { files } of FAULTS) house.restore(files);
  const sound = runCheck(house.root);

  for (const { what, rule, blames, files } of FAULTS) {
    test(`refuses ${what}: ${rule}`, () => {
      const blamed = blames === undefined ? Object.keys(files) : [blames];

      const rules = faulty.findings
        .filter(({ file }) => blamed.includes(file))
        .map((finding) => finding.rule);

      assert.deepEqual([...new Set(rules)], [rule], faulty.text);
    });
  }

  test('ends with 1 and blames nothing but the faults', () => {
    const planted = FAULTS.flatMap(({ files, blames }) => [...Object.keys(files), blames]);

    assert.equal(faulty.code, 1, faulty.text);
    assert.deepEqual(
      faulty.findings.filter(({ file }) => !planted.includes(file)),
      [],
    );
  });

  test('is green again without them', () => {
    assert.equal(sound.code, 0, sound.text);
    assert.deepEqual(sound.findings, []);
  });
});

test('a house in which nothing was found to judge is not green', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'reach-empty-house-'));
  t.after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'packages'));

  const { code, findings } = runCheck(root, 'floors');

  assert.equal(code, 1);
  assert.deepEqual(findings, [{ rule: 'no-modules', file: '(packages)' }]);
});

test('a tool that cannot run is a violation, not silence', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'reach-empty-house-'));
  t.after(() => rmSync(root, { recursive: true }));

  const { code, findings } = runCheck(root, 'lint', 'format');

  assert.equal(code, 1);
  assert.deepEqual([...new Set(findings.map(({ rule }) => rule))], ['tool-broken']);
});
