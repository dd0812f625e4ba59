import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { OPERATIONS } from '@agent-reach/core';
import { allOptions, loadConfig } from '@agent-reach/server';
import {
  composeFile,
  DEPLOY,
  deployed,
  dockerfile,
  imageEnv,
  type Manifest,
  manifests,
} from './kit/deployment.ts';

const ROOT = join(DEPLOY, '..');

/** What is deployed by hand from articles about Agent-Reach, as printed there. */
const PRINTED = {
  'with two stores': {
    REACH_REDIS_ADDR: 'redis:6379',
    REACH_DB_DSN: 'postgres://reach:reachdb:5432/reach',
    REACH_NODE_NAME: 'reach-server-1',
  },
  'with Redis': {
    REACH_STORAGE_DRIVER: 'redis',
    REACH_REDIS_ADDR: 'redis:6379',
    REACH_ROUTE_CACHE_TTL: '30',
    REACH_PROBE_INTERVAL: '5',
    REACH_PROBE_TIMEOUT: '2',
  },
} as const;

function load(env: Record<string, string>) {
  return loadConfig({ cwd: '/nonexistent', env, flags: {} });
}

function defaultMs(key: string): number {
  const found = allOptions().find(({ option }) => option.key === key);
  assert.equal(typeof found?.option.default, 'number', key);
  return found?.option.default as number;
}

/** How long a stop may take: pushed tasks, calls that agents have fetched, then calls. */
const STOP_MS = 2 * defaultMs('task.drain') + defaultMs('call.timeout.max');

function secondsIn(text: string): number {
  return Number(/^(\d+)s$/.exec(text)?.[1]);
}

function noticeMs(env: Record<string, string> | undefined): number {
  return secondsIn(env?.['REACH_STOP_NOTICE'] ?? '') * 1_000;
}

function kubernetes(): Manifest[] {
  const [kustomization] = manifests('kustomization.yaml');
  const files = (kustomization as unknown as { resources: string[] }).resources;
  const present = readdirSync(join(DEPLOY, 'kubernetes'));
  assert.deepEqual(new Set([...files, 'kustomization.yaml']), new Set(present));
  return files.flatMap(manifests);
}

function kind(name: string): Manifest {
  const found = kubernetes().find((object) => object.kind === name);
  assert.ok(found, name);
  return found;
}

interface Pod {
  terminationGracePeriodSeconds: number;
  enableServiceLinks: boolean;
  securityContext: { runAsNonRoot: boolean };
  containers: {
    image: string;
    ports: { name: string; containerPort: number }[];
    envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
    securityContext: { readOnlyRootFilesystem: boolean };
    volumeMounts: { name: string; mountPath: string }[];
    [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
  }[];
  volumes: { name: string }[];
}

function pod(): Pod {
  return (kind('Deployment').spec['template'] as { spec: Pod }).spec;
}

/** What is before the gateway is not known to the image: who exposes it gives it TLS or a proxy. */
const TLS = 'tls.cert';

/** What a warning is about. */
function subject(warning: string): string | undefined {
  return /REACH_\w+|tls\.cert/.exec(warning)?.[0];
}

test('what the image says of itself is known, and is no more than it needs', () => {
  const { warnings, settings } = load(imageEnv());

  assert.deepEqual(warnings.map(subject), [TLS]);
  assert.equal(settings.house.authMode, 'open');
  assert.deepEqual(settings.http.host, ['0.0.0.0']);
  assert.ok(settings.house.egressAllow.every((place) => /^(10|172\.16|192\.168)\./.test(place)));
});

test('the printed files are served, but for the lost @', () => {
  const { warnings, settings } = load({ ...imageEnv(), ...PRINTED['with Redis'] });
  assert.deepEqual(warnings.map(subject), [TLS]);
  assert.equal(settings.routing.decisionTtlMs, 30_000);

  const two = { ...imageEnv(), ...PRINTED['with two stores'] };
  assert.throws(() => load(two), /REACH_DB_DSN.*no @ between password and host/);
  const mended = load({ ...two, REACH_DB_DSN: 'postgres://reach:reach@db:5432/reach' });
  assert.deepEqual(mended.warnings.map(subject), [TLS]);
});

test('every variable that compose and Kubernetes give a gateway is an option of it', () => {
  const { services } = composeFile();
  const gateways = Object.entries(services).filter(([name]) => name.startsWith('gateway-'));
  assert.equal(gateways.length, 2);
  for (const [name, { environment = {} }] of gateways) {
    const env = Object.entries(environment).map(([key, value]) => {
      return [key, value.replaceAll(/\$\{\w+:-(\w+)\}/g, '$1')] as const;
    });
    const { warnings, settings } = load({ ...imageEnv(), ...Object.fromEntries(env) });
    assert.deepEqual(warnings.map(subject), [TLS], name);
    assert.equal(settings.house.nodeName, name);
  }

  const { data = {} } = kind('ConfigMap');
  const { stringData = {} } = kind('Secret');
  const { warnings } = load({ ...imageEnv(), ...data, ...stringData });
  assert.deepEqual(warnings.map(subject), [TLS]);
});

test('compose joins what there is: networks, volumes, images, and who waits for whom', () => {
  const { services, networks, volumes } = composeFile();
  for (const [name, service] of Object.entries(services)) {
    for (const network of service.networks) assert.ok(networks[network], `${name}: ${network}`);
    for (const volume of service.volumes ?? []) {
      const [from = ''] = volume.split(':');
      const isThere = from.startsWith('.') ? existsSync(join(DEPLOY, from)) : from in volumes;
      assert.ok(isThere, `${name}: ${from}`);
    }
    for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
      assert.equal(condition, 'service_healthy');
      const isChecked = services[other]?.healthcheck !== undefined || other.startsWith('gateway-');
      assert.ok(isChecked, `${name} waits for ${other}, whose health nobody knows`);
    }
    assert.equal(service.restart, 'unless-stopped', name);
  }
  assert.match(services['redis']?.command ?? '', /--appendonly yes.*--appendfsync everysec/);
  assert.match(services['redis']?.command ?? '', /--maxmemory-policy noeviction/);
});

test('in compose nothing but the balancer can be reached, and that from this machine alone', () => {
  const { services, networks } = composeFile();

  for (const [name, service] of Object.entries(services)) {
    const outside = service.networks.filter((network) => networks[network]?.internal !== true);
    assert.deepEqual(outside, name === 'balancer' ? ['outside'] : [], name);
    for (const port of service.ports ?? []) assert.match(port, /^127\.0\.0\.1:/, name);
  }
  const subnet = networks['inside']?.ipam?.config[0]?.subnet;
  assert.equal(services['gateway-1']?.environment?.['REACH_EGRESS_ALLOW'], subnet);
});

test('ports, probes and the balancer’s question are those of the gateway', () => {
  const business = defaultMs('listen.business.port');
  const agents = defaultMs('listen.agents.port');
  const exposed = dockerfile().find(({ word }) => word === 'EXPOSE');
  assert.equal(exposed?.rest, `${business} ${agents}`);

  const paths: string[] = Object.values(OPERATIONS).map(({ path }) => path);
  const [container] = pod().containers;
  assert.ok(container);
  assert.deepEqual(
    container.ports.map(({ containerPort }) => containerPort),
    [business, agents],
  );
  const names = container.ports.map(({ name }) => name);
  for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
    const asked: { path: string; port: string } | undefined = container[probe]?.httpGet;
    assert.ok(asked && paths.includes(asked.path) && names.includes(asked.port), probe);
  }

  const haproxy = deployed('haproxy.cfg');
  assert.ok(paths.includes(/httpchk GET (\S+)/.exec(haproxy)?.[1] ?? ''));
  const backends = [...haproxy.matchAll(/^ +server (\S+) (\S+):(\d+)/gm)].map((match) =>
    match[0].trim(),
  );
  const gateways = Object.keys(composeFile().services).filter((name) =>
    name.startsWith('gateway-'),
  );
  assert.deepEqual(
    backends,
    [business, agents].flatMap((port) => gateways.map((name) => `server ${name} ${name}:${port}`)),
  );
  assert.match(deployed('healthcheck.mjs'), /\/readyz/);
});

test('whoever stops a gateway gives it longer than it may take', () => {
  const { services } = composeFile();
  const { stop_grace_period: grace = '', environment } = services['gateway-1'] ?? {};
  assert.ok(secondsIn(grace) * 1_000 > STOP_MS + noticeMs(environment), grace);

  const { terminationGracePeriodSeconds } = pod();
  const told = noticeMs(kind('ConfigMap').data);
  assert.ok(terminationGracePeriodSeconds * 1_000 > STOP_MS + told);
});

test('the balancer notices that a gateway stops before its door closes', () => {
  const { environment } = composeFile().services['gateway-1'] ?? {};
  const checks = /inter (\d+)s fall (\d+)/.exec(deployed('haproxy.cfg'));

  assert.ok(noticeMs(environment) > Number(checks?.[1]) * Number(checks?.[2]) * 1_000);
});

test('in Kubernetes the gateway is no user of importance, and writes only where it may', () => {
  const { securityContext, containers, volumes, enableServiceLinks } = pod();

  assert.equal(securityContext.runAsNonRoot, true);
  assert.equal(enableServiceLinks, false);
  assert.equal(containers[0]?.securityContext.readOnlyRootFilesystem, true);
  const mounts = containers[0]?.volumeMounts ?? [];
  assert.ok(mounts.some(({ mountPath }) => mountPath === imageEnv()['REACH_DATA_DIR']));
  assert.deepEqual(new Set(mounts.map(({ name }) => name)), new Set(volumes.map((v) => v.name)));
});

test('selectors find the pods, and references what they name', () => {
  const labels = { 'app.kubernetes.io/name': 'agent-reach' };
  const { spec } = kind('Deployment');
  const template = spec['template'] as { metadata: { labels: unknown } };
  assert.deepEqual(template.metadata.labels, labels);
  assert.deepEqual(spec['strategy'], {
    type: 'RollingUpdate',
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
  });
  assert.deepEqual(kind('Service').spec['selector'], labels);
  for (const [name, key] of [
    ['Deployment', 'selector'],
    ['PodDisruptionBudget', 'selector'],
    ['NetworkPolicy', 'podSelector'],
  ] as const) {
    assert.deepEqual(kind(name).spec[key], { matchLabels: labels }, name);
  }
  const [map, secret] = pod().containers[0]?.envFrom ?? [];
  assert.equal(map?.configMapRef?.name, kind('ConfigMap').metadata.name);
  assert.equal(secret?.secretRef?.name, kind('Secret').metadata.name);
});

test('everything that the Dockerfile copies is there, and the same image is meant everywhere', () => {
  for (const { word, rest } of dockerfile()) {
    if (word !== 'COPY' || rest.startsWith('--from')) continue;
    for (const path of rest.split(' ').slice(0, -1)) {
      assert.ok(existsSync(join(ROOT, path)), path);
    }
  }
  const images = new Set([
    pod().containers[0]?.image,
    composeFile().services['gateway-1']?.image,
    composeFile().services['gateway-2']?.image,
  ]);
  assert.equal(images.size, 1);
  const words = dockerfile().map(({ word }) => word);
  for (const word of ['USER', 'HEALTHCHECK', 'STOPSIGNAL', 'VOLUME', 'CMD']) {
    assert.ok(words.includes(word), word);
  }
});
