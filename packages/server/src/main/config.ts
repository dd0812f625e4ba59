import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ReachError, validationFailed } from '@agent-reach/core';
import { parse } from 'yaml';
import { faultsOfOidc } from '../policy/clients/check-oidc.ts';
import { demandEmbedder } from '../routing/embedders/open.ts';
import { allOptions, type Settings } from './options.ts';
import { demandStorage, driverOf } from './storage-options.ts';

/** Where a value comes from; a later one wins. */
export type Origin = 'default' | 'file' | 'environment' | 'flag';

/** All settings, and each option with its value and origin as `GET /v1/config` shows it. */
export interface Config {
  settings: Settings;
  shown: { key: string; value: unknown; origin: Origin }[];
  /** What the operator should know and nothing refuses. */
  warnings: string[];
}

/** Where settings may be said. */
export interface ConfigSources {
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** By dotted key. */
  flags: Readonly<Record<string, unknown>>;
}

const FILE = 'reach.yaml';
const FILE_VARIABLE = 'REACH_CONFIG';
/** Ours, but no options of the gateway. */
const OTHER_VARIABLES = new Set([
  FILE_VARIABLE,
  'REACH_ENDPOINT',
  'REACH_CLIENT_ID',
  'REACH_KEY',
  'REACH_TOKEN',
  'REACH_SEED',
  'REACH_LANG',
]);

/** Defaults < file < environment < flags. Refuses unknown keys, wrong forms and wrong relations. */
export function loadConfig(sources: ConfigSources): Config {
  const file = readFile(sources);
  const warnings: string[] = [];
  const known = new Map(allOptions().map((entry) => [entry.option.key, entry]));
  for (const key of Object.keys(file.values)) {
    if (!known.has(key)) throw unknownKey(key, file.path, [...known.keys()]);
  }
  for (const key of Object.keys(sources.flags)) {
    if (!known.has(key)) throw unknownKey(key, 'the command line', [...known.keys()]);
  }
  const variables = new Map([...known.keys()].map((key) => [variableOf(key), key]));
  for (const name of Object.keys(sources.env)) {
    // Not refused: orchestrators put variables of their own there (REACH_PORT=tcp://…).
    if (name.startsWith('REACH_') && !variables.has(name) && !OTHER_VARIABLES.has(name)) {
      warnings.push(`The environment says ${name}, which is no option of this gateway.`);
    }
  }

  const settings = {} as Record<string, Record<string, unknown>>;
  const shown: Config['shown'] = [];
  for (const { room, name, option } of known.values()) {
    const { raw, origin, said } = sayOf(option.key, option.default, file, sources);
    const value = origin === 'default' ? option.default : option.read(raw);
    if (value === undefined) {
      // What may hold a password is not repeated.
      const is = option.shown === undefined ? `, is ${JSON.stringify(raw)}` : faultOf(raw);
      const detail = `must be ${option.form}${is}`;
      throw validationFailed(said, [{ pointer: `#/${option.key}`, detail }]);
    }
    settings[room] = { ...settings[room], [name]: value };
    shown.push({ key: option.key, value: option.shown?.(value) ?? value, origin });
  }
  const config = { settings: settings as Settings, shown, warnings };
  demandRelations(config.settings);
  warnings.push(...warningsOf(config.settings));
  return config;
}

/** The environment's name of an option. */
export function variableOf(key: string): string {
  return `REACH_${key.toUpperCase().replaceAll(/[.-]/g, '_')}`;
}

/** What is wrong with an address, without what is secret in it. */
function faultOf(raw: unknown): string {
  const place = typeof raw === 'string' ? raw.replace(/^\w*:\/\//, '') : '';
  const isWithoutAt = !place.includes('@') && place.split(':').length > 2;
  const fault = isWithoutAt ? ': there is no @ between password and host' : '; what is said is not';
  return `${fault} (it is not shown, for it may hold a password)`;
}

function sayOf(
  key: string,
  fallback: unknown,
  file: { path: string; values: Record<string, unknown> },
  sources: ConfigSources,
): { raw: unknown; origin: Origin; said: string } {
  const variable = variableOf(key);
  if (sources.flags[key] !== undefined) {
    return { raw: sources.flags[key], origin: 'flag', said: `--${key}` };
  }
  const fromEnvironment = sources.env[variable];
  if (fromEnvironment !== undefined && fromEnvironment !== '') {
    return { raw: fromEnvironment, origin: 'environment', said: variable };
  }
  if (Object.hasOwn(file.values, key)) {
    return { raw: file.values[key], origin: 'file', said: file.path };
  }
  return { raw: fallback, origin: 'default', said: 'The default' };
}

function readFile({ cwd, env }: ConfigSources): { path: string; values: Record<string, unknown> } {
  const named = env[FILE_VARIABLE];
  const path = resolve(cwd, named ?? FILE);
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch (error) {
    if (named === undefined) return { path, values: {} }; // The file is optional; a named one is not.
    throw new ReachError(
      'not-found',
      `${FILE_VARIABLE} names ${path}, which cannot be read.`,
      {},
      error,
    );
  }
  let tree: unknown;
  try {
    tree = parse(source, { maxAliasCount: 50 });
  } catch (error) {
    throw new ReachError(
      'validation-failed',
      `${path} is not valid YAML: ${(error as Error).message}`,
    );
  }
  const values: Record<string, unknown> = {};
  flatten(tree ?? {}, '', values);
  return { path, values };
}

/** `a: {b: 1}` and `a.b: 1` say the same. */
function flatten(tree: unknown, prefix: string, values: Record<string, unknown>): void {
  if (typeof tree !== 'object' || tree === null || Array.isArray(tree)) {
    values[prefix] = tree;
    return;
  }
  for (const [name, value] of Object.entries(tree)) {
    flatten(value, prefix === '' ? name : `${prefix}.${name}`, values);
  }
}

function unknownKey(key: string, where: string, known: string[]): ReachError {
  const close = known.filter((other) => other.split('.').some((part) => key.includes(part)));
  const hint = close.length === 0 ? '' : ` Near it are ${close.slice(0, 3).join(', ')}.`;
  return new ReachError('validation-failed', `${where} says ${key}, which is no option.${hint}`, {
    errors: [{ pointer: `#/${key}`, detail: 'is not a known option' }],
  });
}

function demandRelations({ house, http, oidc, registry, storage, ...rest }: Settings): void {
  demandStorage(storage);
  demandEmbedder(rest.embedder, rest.routing.semanticMode === 'cosine');
  const faults = faultsOfOidc(oidc);
  if (faults.length > 0) throw validationFailed('The issuer', faults);
  if ((http.tlsCert === '') !== (http.tlsKey === '')) {
    const missing = http.tlsCert === '' ? 'tls.cert' : 'tls.key';
    const detail = `is not said, and tls.cert and tls.key belong together`;
    throw validationFailed('TLS', [{ pointer: `#/${missing}`, detail }]);
  }
  if (http.publicUrl !== '' && !isOrigin(http.publicUrl)) {
    const detail = `must be a scheme and a host, as https://reach.example, is ${http.publicUrl}`;
    throw validationFailed('public.url', [{ pointer: '#/public.url', detail }]);
  }
  const open = http.host.filter((host) => !isLoopbackHost(host));
  if (open.length > 0 && house.authMode === 'loopback') {
    throw validationFailed('listen.host', [
      {
        pointer: '#/listen.host',
        detail: `${open.join(', ')} is reachable from other machines and this gateway asks nobody who he is. Say auth.mode=required (REACH_AUTH_MODE=required), or open if the network is yours alone`,
      },
    ]);
  }
  if (house.authMode === 'required' && driverOf(storage) !== 'sqlite' && house.kekFile === '') {
    throw validationFailed('secrets.kek.file', [
      {
        pointer: '#/secrets.kek.file',
        detail:
          'is not given (REACH_SECRETS_KEK_FILE): gateways that share a store keep the secrets of clients under one key, so each needs the same file. Make one with: openssl rand -base64 32',
      },
    ]);
  }
  if (http.businessPort === 'off' && http.agentPort === 'off') {
    throw validationFailed('The listeners', [
      { pointer: '#/listen.business.port', detail: 'is off, and listen.agents.port is, too' },
    ]);
  }
  if (registry.probeTimeoutMs > registry.probeIntervalMs) {
    throw new ReachError(
      'timeout-order',
      `probe.timeout (${registry.probeTimeoutMs} ms) is longer than probe.interval (${registry.probeIntervalMs} ms).`,
    );
  }
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '');
}

/** What works as it was said and hardly as it was meant. */
function warningsOf({ house, http, oidc }: Settings): string[] {
  const warnings: string[] = [];
  if (oidc.issuer !== '' && house.authMode !== 'required') {
    warnings.push(
      'auth.oidc.issuer is said, and nobody is asked for a token: auth.mode is not required.',
    );
  }
  const open = http.host.filter((host) => !isLoopbackHost(host));
  const isBehindTls =
    http.tlsCert !== '' || http.publicUrl.startsWith('https:') || http.trustProxy.length > 0;
  if (open.length > 0 && !isBehindTls) {
    warnings.push(
      `${open.join(', ')} is reachable from other machines without TLS: what is sent can be read, and tokens taken. Give tls.cert and tls.key, or say the https address of the proxy before it in public.url, or its network in http.trust-proxy.`,
    );
  }
  return warnings;
}

/** Whether a listening address is this machine's alone. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
