import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Catalogue, type Capability } from '@agent-reach/server/meaning';

/** One labelled question. */
export interface Labelled {
  text: string;
  /** The right capability; null: none; a list: any of them may be offered. */
  expected: string | null | readonly string[];
  payload?: unknown;
  /** Only these may be chosen. */
  candidates?: readonly string[];
}

/** A public set of capabilities and questions. */
export interface RoutingSet {
  name: string;
  capabilities: readonly Row[];
  questions: readonly Labelled[];
  examples: ReadonlyMap<string, readonly string[]>;
}

export interface Row {
  id: string;
  name: string;
  description: string;
  display_name?: string;
  description_en?: string;
  boundary?: string;
  boundary_en?: string;
  tags?: string[];
  input_schema?: Record<string, unknown>;
}

/** The folder that `REACH_ROUTING_DATA` names; undefined, with the reason told, when there is none. */
export function dataFolder(): string | undefined {
  const folder = process.env['REACH_ROUTING_DATA'];
  if (folder !== undefined && existsSync(folder)) return folder;
  const why = folder === undefined ? 'is not set' : `names ${folder}, which is not there`;
  console.log(
    `Skipped: REACH_ROUTING_DATA ${why}. It names a folder of sets, each with capabilities.jsonl, queries.jsonl and perhaps examples.jsonl.`,
  );
  return undefined;
}

/** The sets of a folder that have questions, by name. */
export function loadSets(folder: string): RoutingSet[] {
  const names = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory());
  return names
    .map(({ name }) => loadSet(folder, name))
    .filter(({ questions }) => questions.length > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function loadSet(folder: string, name: string): RoutingSet {
  const read = <T>(file: string) => readLines<T>(join(folder, name, file));
  const examples = read<{ id: string; examples: string[] }>('examples.jsonl');
  return {
    name,
    capabilities: read<Row>('capabilities.jsonl'),
    questions: read<Labelled>('queries.jsonl'),
    examples: new Map(examples.map((row) => [row.id, row.examples])),
  };
}

function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as T);
}

/** A catalogue of a set's capabilities, with `examples` utterances of each. */
export function catalogueOf(set: RoutingSet, examples: number) {
  const catalogue = new Catalogue();
  const idOf = new Map<string, string>();
  const capabilities: Capability[] = [];
  for (const row of set.capabilities) {
    const name = idOf.has(row.name) ? `${row.name}.${idOf.size}` : row.name;
    idOf.set(name, row.id);
    const capability = capabilityOf(row, name, (set.examples.get(row.id) ?? []).slice(0, examples));
    catalogue.put(name, [{ agentId: 'a', capability }]);
    capabilities.push(capability);
  }
  return { catalogue, capabilities, idOf: (name: string) => idOf.get(name) ?? name };
}

export function capabilityOf(row: Row, name: string, examples: readonly string[]): Capability {
  const { description, description_en: english = '', boundary, boundary_en: englishNot } = row;
  return {
    name,
    display_name: row.display_name ?? row.name,
    description: english === '' ? description : `${description} ${english}`,
    input: row.input_schema ?? {},
    output: {},
    tags: Object.fromEntries((row.tags ?? []).map((tag) => [tag, ''])),
    effect: 'read',
    sensitive: false,
    sla: { timeout_ms: 2_000 },
    priority: 50,
    examples: [...examples],
    not_for: [boundary, englishNot].filter((text) => text !== undefined),
  };
}
