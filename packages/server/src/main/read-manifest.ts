import { readBody } from '../ingress/http/read-body.ts';

const DEPTH_MAX = 64;

/** A manifest file as a value, read by the rules of the door: JSON by its name or look, else YAML. */
export function readManifest(text: string, filename: string): unknown {
  const isJson = filename.endsWith('.json') || /^\s*[{[]/.test(text);
  return readBody(Buffer.from(text), isJson ? 'application/json' : 'application/yaml', DEPTH_MAX);
}
