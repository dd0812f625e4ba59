/**
 * Holds every import to the tables of `house.ts`.
 *
 * dependency-cruiser draws the graph: on resolved paths, so no alias or re-export hides an arrow,
 * with type-only imports counted, because a type ties two rooms together as firmly as a call. The
 * rules are judged here rather than in its configuration, so that a message can name both rooms
 * and their floors.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult, type IDependency } from 'dependency-cruiser';
import {
  BUCKET_FOLDERS,
  CONTRACT_ROOM,
  DRIVER_ROOMS,
  HOMES,
  OUTBOUND_ROOM,
  PACKAGE_ARROWS,
  ROOMS,
  TESTS_HOME,
} from './house.ts';
import type { Violation } from './violation.ts';

const SOURCES = '{packages,examples,bench,e2e,scripts}/**/*.{ts,tsx,mts,js,mjs}';
const SERVER_SRC = 'packages/server/src/';

/** Where a module stands in the house. */
interface Place {
  path: string;
  /** A package's folder name, or a top folder: examples, bench, e2e, scripts. */
  package: string;
  /** Only in the server, and only a room that the table knows. */
  room?: string | undefined;
  /** A test or a test kit: never part of production. */
  isTest: boolean;
}

/** A rule and a sentence, before the place is known. */
type Fault = Pick<Violation, 'rule' | 'message'>;

/** Both rule sets that read the import graph: one cruise serves them. */
export interface ImportFaults {
  floors: Violation[];
  homes: Violation[];
}

/** Draws the import graph of the tree at `root` and judges it. */
export async function judgeImports(root: string): Promise<ImportFaults> {
  const graph = await drawGraph(root);
  const modules = graph ? graph.modules.filter((module) => isOurs(module.source)) : [];
  // A cruiser that cannot read TypeScript finds no module, and a house without modules is green.
  if (!graph || !modules.some((module) => module.source.startsWith('packages/'))) {
    const message = 'the cruise found no module under packages/: nothing was judged';
    return { floors: [{ rule: 'no-modules', file: '(packages)', line: 1, message }], homes: [] };
  }
  const doors = publicDoors(root);
  const arrows = modules.flatMap((module) =>
    module.dependencies.map((dependency) => ({ from: locate(module.source), dependency })),
  );
  const placed = (judge: (from: Place, dependency: IDependency) => Fault | undefined) =>
    arrows.flatMap(({ from, dependency }) => {
      const found = judge(from, dependency);
      if (!found) return [];
      const line = lineOf(join(root, from.path), dependency.module);
      return [{ ...found, file: from.path, line }];
    });
  return {
    floors: [
      ...modules.flatMap((module) => judgePath(module.source)),
      ...placed((from, to) => (isOurs(to.resolved) ? judgeArrow(from, to, doors) : undefined)),
      ...circles(graph),
    ],
    homes: placed((from, to) => (isOurs(to.resolved) ? undefined : judgeHome(from, to))),
  };
}

/** The whole import graph; undefined where there is no source at all. */
async function drawGraph(root: string): Promise<ICruiseResult | undefined> {
  const files = globSync(SOURCES, { cwd: root, exclude: ['**/node_modules', '**/dist'] });
  if (files.length === 0) return undefined;
  const { output } = await cruise(
    files,
    {
      baseDir: root,
      validate: true,
      ruleSet: {
        forbidden: [{ name: 'no-circle', severity: 'error', from: {}, to: { circular: true } }],
      },
      tsPreCompilationDeps: true,
      doNotFollow: { path: 'node_modules' },
    },
    { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  );
  return output as ICruiseResult;
}

function isOurs(path: string): boolean {
  return /^(packages|examples|bench|e2e|scripts)\//.test(path) && !path.includes('node_modules/');
}

/** Finds a module's place from its path alone. */
function locate(path: string): Place {
  const [top = '', second = ''] = path.split('/');
  const owner = top === 'packages' ? second : top;
  const isTest =
    path.endsWith('.test.ts') || path.includes('/testing/') || top === 'bench' || top === 'e2e';
  return { path, package: owner, room: roomOf(path), isTest };
}

function roomOf(path: string): string | undefined {
  if (!path.startsWith(SERVER_SRC)) return undefined;
  const inside = path.slice(SERVER_SRC.length);
  return [...ROOMS.keys()].find((room) => inside.startsWith(`${room}/`));
}

/** What a path says by itself: an unknown room, a folder without an owner, a barrel. */
function judgePath(path: string): Violation[] {
  const at = { file: path, line: 1 };
  const bucket = path.split('/').find((part) => BUCKET_FOLDERS.includes(part));
  if (path.startsWith('packages/') && bucket) {
    return [{ ...at, rule: 'bucket-folder', message: `${bucket}/ has no owner: name the thing` }];
  }
  if (!path.startsWith(SERVER_SRC)) return [];
  if (roomOf(path) === undefined) {
    return [
      { ...at, rule: 'room-unknown', message: 'no room of scripts/house.ts holds this file' },
    ];
  }
  if (/\/index\.[a-z]+$/.test(path)) {
    return [{ ...at, rule: 'index-in-server', message: 'rooms have no barrel: import the file' }];
  }
  return [];
}

/** Judges one import of our own code. A fault has one rule: the most telling one comes first. */
function judgeArrow(
  from: Place,
  { resolved }: Pick<IDependency, 'resolved'>,
  doors: ReadonlySet<string>,
): Fault | undefined {
  const to = locate(resolved);
  return (
    judgeKit(from, to) ??
    (from.package === to.package ? judgeRooms(from, to) : judgePackages(from, to, doors))
  );
}

function judgeKit(from: Place, to: Place): Fault | undefined {
  if (to.room === CONTRACT_ROOM && from.room !== CONTRACT_ROOM) {
    const isDriverTest = from.isTest && DRIVER_ROOMS.includes(from.room ?? '');
    if (isDriverTest) return undefined;
    return fault('contract-outside-driver-test', to, 'for driver tests only');
  }
  if (to.isTest && !from.isTest && from.room !== CONTRACT_ROOM) {
    return fault('test-kit-in-production', to, 'test code');
  }
  return undefined;
}

function judgePackages(from: Place, to: Place, doors: ReadonlySet<string>): Fault | undefined {
  if (!PACKAGE_ARROWS[from.package]?.includes(to.package)) {
    return fault('package-arrow', to, `${from.package} may not import ${to.package}`);
  }
  if (!doors.has(to.path)) {
    return fault('past-the-door', to, `not in the exports of packages/${to.package}`);
  }
  return undefined;
}

/** Tests beside the source may import any room: they set the stage that main sets in production. */
function judgeRooms(from: Place, to: Place): Fault | undefined {
  const [guest, host] = [ROOMS.get(from.room ?? ''), ROOMS.get(to.room ?? '')];
  if (!guest || !host || guest === host || from.isTest || guest.mayImport === 'all') {
    return undefined;
  }
  if (host.name === OUTBOUND_ROOM) {
    return fault('outbound-is-injected', to, 'main alone imports it; take the Fetch port');
  }
  if (DRIVER_ROOMS.includes(host.name)) {
    return fault('driver-outside-main', to, 'main alone opens a driver; take storage/spi');
  }
  if (guest.mayImport.includes(host.name)) return undefined;
  const rule = host.floor > guest.floor ? 'arrow-up' : 'arrow-unlisted';
  const floors = `${guest.name} (floor ${guest.floor}) to ${host.name} (floor ${host.floor})`;
  return fault(rule, to, `no arrow from ${floors}`);
}

function fault(rule: string, to: Place, why: string): Fault {
  return { rule, message: `imports ${to.path}: ${why}` };
}

/** Judges one import of a third-party dependency, or of a built-in that has a home. */
function judgeHome(from: Place, dependency: IDependency): Fault | undefined {
  if (!/^(packages|examples)\//.test(from.path)) return undefined;
  // A file of our own that does not exist is the compiler's to report.
  if (/^(\.|@agent-reach\/)/.test(dependency.module)) return undefined;
  const name = dependencyName(dependency);
  const homes = HOMES[name];
  if (!homes) {
    if (name.startsWith('node:')) return undefined;
    return { rule: 'no-home', message: `${name} has no home in scripts/house.ts` };
  }
  if (!homes.some((home) => isHome(home, from))) {
    return { rule: 'away-from-home', message: `${name} lives in ${homes.join(', ')}` };
  }
  const isUndeclared = dependency.dependencyTypes.some((type) => /^npm-(no-pkg|dev)$/.test(type));
  if (isUndeclared && !from.isTest) {
    const message = `${name} is not in the dependencies of packages/${from.package}/package.json`;
    return { rule: 'undeclared-dependency', message };
  }
  return undefined;
}

function isHome(home: string, place: Place): boolean {
  if (home === TESTS_HOME) return place.isTest;
  const [owner = '', ...folder] = home.split('/');
  return place.path.startsWith([`packages/${owner}/src`, ...folder, ''].join('/'));
}

/** `ajv/dist/2020.js` is ajv, wherever npm put it; `sqlite` and `node:sqlite` are one. */
function dependencyName(dependency: IDependency): string {
  const resolved = dependency.resolved.split('node_modules/').at(-1) ?? '';
  const path = dependency.couldNotResolve ? dependency.module : resolved;
  const [first = '', second = ''] = path.split('/');
  const isBuiltIn = dependency.dependencyTypes.includes('core');
  if (isBuiltIn) return `node:${first.replace('node:', '')}`;
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** Every file that some package.json names in `exports` or `bin`. */
function publicDoors(root: string): Set<string> {
  const doors = globSync('packages/*/package.json', { cwd: root }).flatMap((file) => {
    const { exports = {}, bin = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
      exports?: Record<string, unknown>;
      bin?: Record<string, string>;
    };
    const targets = [...Object.values(exports), ...Object.values(bin)];
    return targets.flatMap((target) =>
      typeof target === 'string' ? [join(dirname(file), target)] : [],
    );
  });
  return new Set(doors);
}

function circles(graph: ICruiseResult): Violation[] {
  return graph.summary.violations.map(({ from, cycle = [] }) => ({
    rule: 'no-circle',
    file: from,
    line: 1,
    message: [from, ...cycle.map((step) => step.name)].join(' → '),
  }));
}

/** dependency-cruiser keeps no positions, so the line is where the specifier first stands. */
function lineOf(file: string, specifier: string): number {
  const quoted = [`'${specifier}'`, `"${specifier}"`, `'node:${specifier}'`];
  const lines = readFileSync(file, 'utf8').split('\n');
  const index = lines.findIndex((line) => quoted.some((text) => line.includes(text)));
  return Math.max(0, index) + 1;
}
