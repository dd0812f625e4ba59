/**
 * Holds what comes from others to a list: whoever adds a package that runs code while it is installed,
 * lacks a checksum or has another licence, says so here.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Violation } from './violation.ts';

/** Licences under which packages may be part of this one. */
const LICENCES: ReadonlySet<string> = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  '0BSD',
  'Python-2.0',
  'MIT OR Apache-2.0',
  '(MIT OR CC0-1.0)',
]);
/** Of all packages that users install, each counted once. */
const DIRECT_MAX = 35;
/** What npm runs by itself on a user's machine. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'] as const;

/** One package of package-lock.json. */
export interface LockedPackage {
  version?: string;
  link?: boolean;
  resolved?: string;
  integrity?: string;
  license?: string;
  hasInstallScript?: boolean;
}

/** What of a package.json matters here. */
export interface Manifest {
  file: string;
  name?: string;
  private?: boolean;
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  /** Of the root alone: whose install scripts may run. */
  allowScripts?: Record<string, boolean>;
}

/** Reads and judges the tree at `root`. A tree without a lock brings nothing in. */
export function judgeSupply(root: string): Violation[] {
  const file = join(root, 'package-lock.json');
  if (!existsSync(file)) return [];
  const read = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as object;
  const { packages } = read('package-lock.json') as { packages: Record<string, LockedPackage> };
  const paths = globSync('{package.json,{packages,examples}/*/package.json}', { cwd: root });
  return supplyFaults(
    packages,
    paths.map((path) => ({ ...(read(path) as Manifest), file: path })),
  );
}

/** What is wrong with what a lock brings in and with what our own packages ask for. */
export function supplyFaults(
  packages: Readonly<Record<string, LockedPackage>>,
  manifests: readonly Manifest[],
): Violation[] {
  const mayRun = manifests.find(({ file }) => file === 'package.json')?.allowScripts ?? {};
  const locked = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  );
  const shipped = manifests.filter(({ file }) => file.startsWith('packages/'));
  const direct = new Set(shipped.flatMap(({ dependencies = {} }) => Object.keys(dependencies)));
  const own = new Set(manifests.map(({ name }) => name));
  const foreign = [...direct].filter((name) => !own.has(name));
  return [
    ...locked.flatMap(([path, one]) => faultsOf(path, one, mayRun)),
    ...shipped.flatMap(ownScripts),
    ...(foreign.length > DIRECT_MAX ? [tooMany(foreign.length)] : []),
  ];
}

function faultsOf(
  path: string,
  one: LockedPackage,
  mayRun: Readonly<Record<string, boolean>>,
): Violation[] {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const says = (rule: string, message: string): Violation => {
    return { rule, file: 'package-lock.json', line: 1, message: `${path} ${message}` };
  };
  const { integrity = '', license = 'none', resolved } = one;
  return [
    ...(integrity.startsWith('sha512-') ? [] : [says('no-checksum', 'has no sha512 checksum')]),
    ...(LICENCES.has(license) ? [] : [says('licence', `has the licence ${license}`)]),
    ...(resolved === undefined ? [] : [says('registry-named', `comes from ${resolved} alone`)]),
    ...(one.hasInstallScript === true && mayRun[name] === undefined
      ? [says('install-script', 'runs code when it is installed; allowScripts has no word on it')]
      : []),
  ];
}

function ownScripts({ file, scripts = {} }: Manifest): Violation[] {
  return INSTALL_SCRIPTS.filter((name) => scripts[name] !== undefined).map((name) => ({
    rule: 'own-install-script',
    file,
    line: 1,
    message: `runs ${name} on the machines of those who install it`,
  }));
}

function tooMany(count: number): Violation {
  const message = `the packages depend on ${count} others directly; ${DIRECT_MAX} are enough`;
  return { rule: 'too-many', file: 'package-lock.json', line: 1, message };
}
