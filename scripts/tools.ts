/**
 * The foreign tools of the gate: compiler, linter, formatter. Each runs as its own process, and its
 * report becomes violations. A tool that breaks, or that read nothing, is a violation too: silence
 * must not look like health.
 */
import { execFile } from 'node:child_process';
import { join, relative } from 'node:path';
import type { Violation } from './violation.ts';

const BIN = join(import.meta.dirname, '../node_modules/.bin');
const REPORT_BYTES_MAX = 64 * 1024 * 1024;

/** Rules of oxlint that count lines and parameters. They are reported as the set `sizes`. */
const SIZE_RULES: readonly string[] = ['max-lines', 'max-lines-per-function', 'max-params'];

interface Report {
  code: number;
  stdout: string;
  stderr: string;
}

/** The compiler's complaints about the project at `root`; the rule is the code, such as TS2322. */
export async function compile(root: string): Promise<Violation[]> {
  const report = await run(root, 'tsc', ['-p', '.', '--pretty', 'false']);
  const lines = report.stdout.split('\n').flatMap((text) => {
    const inFile = /^(.+?)\((\d+),\d+\): error (TS\d+): (.*)$/.exec(text);
    if (inFile) {
      const [, file = '', line, rule = '', message = ''] = inFile;
      return [{ rule, file, line: Number(line), message }];
    }
    const [, rule = '', message = ''] = /^error (TS\d+): (.*)$/.exec(text) ?? [];
    return rule ? [{ rule, file: '(tsc)', line: 1, message }] : [];
  });
  return orBroken('tsc', report, lines);
}

/** What oxlint found, in two parts: taste and safety, and sizes. */
export async function lint(root: string): Promise<{ lint: Violation[]; sizes: Violation[] }> {
  const flags = ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'];
  const report = await run(root, 'oxlint', [...flags, '--format', 'json', '.']);
  const found = orBroken('oxlint', report, lintViolations(report));
  const isSize = ({ rule }: Violation) => SIZE_RULES.includes(rule);
  return { lint: found.filter((one) => !isSize(one)), sizes: found.filter(isSize) };
}

interface OxlintReport {
  number_of_files: number;
  diagnostics: {
    message: string;
    code?: string;
    help?: string;
    filename: string;
    labels: { span: { line: number } }[];
  }[];
}

function lintViolations(report: Report): Violation[] {
  if (!report.stdout.startsWith('{')) return [];
  const { diagnostics, number_of_files: files } = JSON.parse(report.stdout) as OxlintReport;
  if (files === 0) return [broken('oxlint', 'oxlint read no file')];
  return diagnostics.map(({ code, message, help = '', filename, labels }) => ({
    rule: lintRule(code, message),
    file: filename,
    line: labels[0]?.span.line ?? 1,
    message: message.includes(help) ? message : `${message.replace(/\.?$/, '.')} ${help}`,
  }));
}

/** The code reads `plugin(rule)`; what is no rule's finding has none. */
function lintRule(code: string | undefined, message: string): string {
  if (code !== undefined) return /\((.+)\)/.exec(code)?.[1] ?? code;
  return message.includes('disable directive') ? 'unused-directive' : 'syntax';
}

/** Files that `npm run format` would change. */
export async function format(root: string): Promise<Violation[]> {
  const flags = ['--reporter=github', '--max-diagnostics=none'];
  const report = await run(root, 'biome', ['format', ...flags, '.']);
  const found = report.stdout
    .matchAll(/^::error title=(\w+),file=([^,]+),line=(\d+)\S*::(.*)$/gm)
    .map(([, rule = '', file = '', line, message = '']) => {
      const advice = rule === 'format' ? 'run `npm run format`' : message;
      return { rule, file: relative(root, file), line: Number(line), message: advice };
    });
  return orBroken('biome', report, [...found]);
}

function orBroken(tool: string, report: Report, found: Violation[]): Violation[] {
  if (found.length > 0 || report.code === 0) return found;
  const said = `${report.stdout}\n${report.stderr}`.trim().slice(0, 400);
  return [broken(tool, `${tool} ended with ${report.code} and no finding: ${said}`)];
}

function broken(tool: string, message: string): Violation {
  return { rule: 'tool-broken', file: `(${tool})`, line: 1, message };
}

function run(root: string, tool: string, args: readonly string[]): Promise<Report> {
  const options = {
    cwd: root,
    maxBuffer: REPORT_BYTES_MAX,
    env: { ...process.env, NO_COLOR: '1' },
  };
  return new Promise((resolve) => {
    execFile(join(BIN, tool), args, options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, stdout, stderr: stderr || (error?.message ?? '') });
    });
  });
}
