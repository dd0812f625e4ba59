import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

/** The folder of what is deployed. */
export const DEPLOY = join(import.meta.dirname, '../../deploy');

/** The text of a file there. */
export function deployed(path: string): string {
  return readFileSync(join(DEPLOY, path), 'utf8');
}

/** What a test reads of compose.yaml. */
export interface Compose {
  services: Record<
    string,
    {
      image: string;
      environment?: Record<string, string>;
      networks: string[];
      ports?: string[];
      volumes?: string[];
      depends_on?: Record<string, { condition: string }>;
      healthcheck?: unknown;
      restart?: string;
      stop_grace_period?: string;
      command?: string;
    }
  >;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } }>;
  volumes: Record<string, unknown>;
}

/** compose.yaml, its anchors resolved. */
export function composeFile(): Compose {
  return parse(deployed('compose.yaml'), { merge: true }) as Compose;
}

/** A Kubernetes object, as far as tests read it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  stringData?: Record<string, string>;
  spec: Record<string, unknown>;
}

/** The objects of one file under kubernetes/; throws where it is not valid YAML. */
export function manifests(file: string): Manifest[] {
  return parseAllDocuments(deployed(join('kubernetes', file))).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    return document.toJS() as Manifest;
  });
}

/** An instruction of a Dockerfile, its continued lines joined. */
export interface Instruction {
  word: string;
  rest: string;
}

/** The Dockerfile's instructions, in order. */
export function dockerfile(): Instruction[] {
  const lines = deployed('Dockerfile')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [word = '', ...rest] = line.split(' ');
    return { word, rest: rest.join(' ') };
  });
}

/** What the image says of itself where nobody says otherwise. */
export function imageEnv(): Record<string, string> {
  const said = dockerfile().filter(({ word }) => word === 'ENV');
  return Object.fromEntries(
    said.flatMap(({ rest }) =>
      rest.split(/\s+/).map((pair) => {
        const [name = '', ...value] = pair.split('=');
        return [name, value.join('=')] as const;
      }),
    ),
  );
}
