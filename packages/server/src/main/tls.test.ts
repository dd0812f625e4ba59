import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent as HttpsAgent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { type Log, seededRandom, silentLog } from '@agent-reach/core/kernel';
import { ManualClock } from '@agent-reach/core/testing';
import { httpDoor } from '../ingress/http/server.ts';
import { loadConfig } from './config.ts';
import { failsWith } from './testing/house.ts';
import { openTls } from './tls.ts';

const run = promisify(execFile);

/** A pair of its own for 127.0.0.1; undefined: this machine has no openssl. */
async function makePair(name: string): Promise<{ cert: string; key: string } | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'reach-tls-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    await run('openssl', [
      'req',
      '-x509',
      ...kind,
      ...subject,
      '-days',
      '2',
      '-keyout',
      key,
      '-out',
      cert,
    ]);
    return { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A door that speaks TLS by files in memory; undefined: without openssl. */
async function open(t: TestContext) {
  const [one, two] = [await makePair('one'), await makePair('two')];
  if (one === undefined || two === undefined) {
    t.skip('there is no openssl here to make certificates with');
    return undefined;
  }
  const files: Record<string, string> = { cert: one.cert, key: one.key };
  const clock = new ManualClock();
  const told: string[] = [];
  const note = (_fields: object, message: string) => void told.push(message);
  const log: Log = { ...silentLog, error: note, info: note };
  const readText = async (path: string) => files[path] ?? assert.fail(path);
  const { source, keeping } = await openTls({ cert: 'cert', key: 'key' }, { readText, clock, log });
  const door = httpDoor({
    dispatch: async (_name, _input, { origin }) => ({ status: 'ok', origin }),
    clock,
    random: seededRandom(1),
    log: silentLog,
    listeners: [{ host: '127.0.0.1', port: 0 }],
    bodyBytesMax: 1_024,
    bodyDepthMax: 8,
    requestTimeoutMs: 1_000,
    publicUrl: '',
    hasIssuer: false,
    trustProxy: [],
    tls: source,
  });
  await keeping.start();
  await door.start();
  const url = door.addresses()[0] ?? '';
  return {
    one,
    two,
    files,
    clock,
    told,
    url,
    source,
    async [Symbol.asyncDispose]() {
      await keeping.stop();
      const stopped = door.stop();
      await clock.advance(1_000);
      await stopped;
    },
  };
}

/** Asks for /livez; answers its body and who was shown. */
async function ask(url: string, ca: string, agent?: HttpsAgent) {
  const sent = request(`${url}/livez`, {
    ca,
    ...(agent === undefined ? { agent: false } : { agent }),
  });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  // Once the answer is read, the connection is somebody else's.
  const { CN: shown } = (answer.socket as TLSSocket).getPeerCertificate().subject;
  const body = JSON.parse((await answer.toArray()).join('')) as { origin: string };
  return { body, shown, isReused: sent.reusedSocket };
}

test('the listeners speak TLS, say so in their address, and know it of a request', async (t) => {
  const at = await open(t);
  if (at === undefined) return;
  await using _ = at;

  assert.match(at.url, /^https:\/\/127\.0\.0\.1:\d+$/);
  const { body, shown } = await ask(at.url, at.one.cert);
  assert.equal(shown, 'one');
  assert.equal(body.origin, at.url);
  await assert.rejects(fetch(at.url.replace('https:', 'http:')));
});

test('nothing older than TLS 1.2 is spoken', async (t) => {
  const at = await open(t);
  if (at === undefined) return;
  await using _ = at;
  const { port } = new URL(at.url);
  const dial = async (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') => {
    const socket = connect({
      host: '127.0.0.1',
      port: Number(port),
      ca: at.one.cert,
      minVersion: version,
      maxVersion: version,
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    try {
      await once(socket, 'secureConnect');
      return socket.getProtocol();
    } finally {
      socket.destroy();
    }
  };

  assert.equal(await dial('TLSv1.2'), 'TLSv1.2');
  assert.equal(await dial('TLSv1.3'), 'TLSv1.3');
  await assert.rejects(dial('TLSv1.1'));
});

test('a new pair is shown to who connects, and who is connected stays', async (t) => {
  const at = await open(t);
  if (at === undefined) return;
  await using _ = at;
  using kept = {
    agent: new HttpsAgent({ keepAlive: true, maxSockets: 1 }),
    [Symbol.dispose]: () => kept.agent.destroy(),
  };
  await ask(at.url, at.one.cert, kept.agent);

  // Files are written one after the other: half of a pair is no pair.
  at.files['cert'] = at.two.cert;
  await at.clock.advance(10_000);
  assert.equal((await ask(at.url, at.one.cert)).shown, 'one');
  assert.equal(at.told.length, 1);
  await at.clock.advance(20_000);
  assert.equal(at.told.length, 1, 'the same fault is told once');
  at.files['key'] = at.two.key;
  await at.clock.advance(10_000);

  assert.equal((await ask(at.url, at.two.cert)).shown, 'two');
  const again = await ask(at.url, at.one.cert, kept.agent);
  assert.deepEqual([again.shown, again.isReused], ['one', true]);
});

test('files that hold no pair, half of the options and open doors without TLS are told at the start', async (t) => {
  const pair = await makePair('one');
  const other = await makePair('two');
  if (pair === undefined || other === undefined) return t.skip('there is no openssl here');
  const ports = { clock: new ManualClock(), log: silentLog };
  const opened = (files: Record<string, string>) =>
    openTls(
      { cert: 'cert', key: 'key' },
      { ...ports, readText: async (path) => files[path] ?? assert.fail(`no ${path}`) },
    );
  for (const files of [{}, { cert: 'x', key: 'y' }, { cert: pair.cert, key: other.key }]) {
    await assert.rejects(opened(files), failsWith('validation-failed'));
  }
  const load = (flags: Record<string, unknown>) =>
    loadConfig({ cwd: '/nonexistent', env: {}, flags });
  assert.throws(() => load({ 'tls.cert': 'a' }), failsWith('validation-failed'));
  assert.throws(() => load({ 'tls.key': 'a' }), failsWith('validation-failed'));

  const far = { 'listen.host': '127.0.0.1,0.0.0.0', 'auth.mode': 'required' };
  const warned = (flags: Record<string, unknown>) =>
    load(flags).warnings.filter((text) => text.includes('without TLS')).length;
  assert.equal(warned({}), 0);
  assert.equal(warned(far), 1);
  assert.equal(warned({ ...far, 'public.url': 'http://reach.example' }), 1);
  assert.equal(warned({ ...far, 'public.url': 'https://reach.example' }), 0);
  assert.equal(warned({ ...far, 'http.trust-proxy': '10.0.0.0/8' }), 0);
  assert.equal(warned({ ...far, 'tls.cert': 'a', 'tls.key': 'b' }), 0);
});
