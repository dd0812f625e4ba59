import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { testRandom } from '../../testing/seed.ts';
import { ReachError } from '../errors.ts';
import type { SignedMessage } from './message.ts';
import { readSecret, writeSecret } from './secret.ts';
import { sign } from './sign.ts';
import { demandTrue, isSigned, present, type VerifierFacts } from './verify.ts';

/** The vector of the profile: key, body and time are its own. */
const SECRET = Uint8Array.from({ length: 32 }, (_, i) => i);
const CREATED_MS = 1_795_996_800_000;
const NONCE = '8IBTHwOdqNKAWeKl7plt8g';
const KEY = { clientId: 'agt_customer-service', kid: 'k1', secret: SECRET };
const BODY = '{"capability":"query_order_status","input":{"order_no":"ORD202501180001"}}';
const HEADERS = {
  'Idempotency-Key': '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
  'Reach-Deadline-Ms': '2500',
  'Content-Type': 'application/json',
};
const INPUT =
  'reach=("@method" "@authority" "@path" "@query" "content-digest" "content-type" "idempotency-key" "reach-deadline-ms")' +
  ';created=1795996800;expires=1795997100;nonce="8IBTHwOdqNKAWeKl7plt8g";keyid="agt_customer-service:k1";tag="reach-v1"';
const SIGNATURE = 'reach=:0feY3fuZU5S44PKcTOgp3mMvVMEf/oWZzBB9p5X3tPs=:';
const DIGEST = 'sha-256=:3c2KAC7JD86i/BuzkB/E7hfNK95JoRfPnwqxozmKL7I=:';

interface Changes {
  method?: string;
  target?: string;
  authority?: string;
  body?: string | Uint8Array;
  /** Over those of the vector; undefined takes one away. */
  headers?: Record<string, string | undefined>;
  /** After all others. */
  more?: string[];
}

function message(changes: Changes = {}): SignedMessage {
  const headers = {
    ...HEADERS,
    'Content-Digest': DIGEST,
    'Signature-Input': INPUT,
    Signature: SIGNATURE,
    ...changes.headers,
  };
  const raw = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [name, value],
  );
  return {
    method: changes.method ?? 'POST',
    target: changes.target ?? '/v1/calls',
    authority: changes.authority ?? 'reach.example:8080',
    rawHeaders: [...raw, ...(changes.more ?? [])],
    body: Buffer.from(changes.body ?? BODY),
  };
}

const NOW: VerifierFacts = { nowMs: CREATED_MS, authorities: new Set(['reach.example:8080']) };

function verify(
  said: SignedMessage,
  { facts = NOW, secret = SECRET }: { facts?: VerifierFacts; secret?: Uint8Array | undefined } = {},
) {
  const presented = present(said, facts);
  demandTrue(presented, secret, said.body);
  return presented;
}

const isInvalid = (error: unknown) => ReachError.is(error) && error.code === 'signature-invalid';

/** The vector's headers with a changed input, signed by the right key: only the form is wrong. */
function resigned(input: string, changes: Changes = {}): SignedMessage {
  const said = message(changes);
  const base = [
    `"@method": ${said.method}`,
    `"@authority": ${said.authority}`,
    `"@path": ${said.target}`,
    '"@query": ?',
    `"content-digest": ${DIGEST}`,
    '"content-type": application/json',
    `"idempotency-key": ${HEADERS['Idempotency-Key']}`,
    '"reach-deadline-ms": 2500',
    `"@signature-params": ${input.slice('reach='.length)}`,
  ].join('\n');
  const mac = createHmac('sha256', SECRET).update(base).digest('base64');
  return message({
    ...changes,
    headers: { ...changes.headers, 'Signature-Input': input, Signature: `reach=:${mac}:` },
  });
}

test('the vector of the profile is signed and verified to the byte', () => {
  const unsigned: SignedMessage = {
    ...message(),
    rawHeaders: Object.entries(HEADERS).flat(),
  };

  assert.deepEqual(sign(unsigned, KEY, { nowMs: CREATED_MS, nonce: NONCE }), {
    'content-digest': DIGEST,
    'signature-input': INPUT,
    signature: SIGNATURE,
  });
  const presented = verify(message());
  assert.equal(presented.base.length, 518);
  const { clientId, kid, nonce, created } = presented;
  assert.deepEqual(
    { clientId, kid, nonce, created },
    { clientId: 'agt_customer-service', kid: 'k1', nonce: NONCE, created: CREATED_MS / 1_000 },
  );
});

test('the MAC is that of RFC 9421 B.2.5', () => {
  const base = [
    '"date": Tue, 20 Apr 2021 02:07:55 GMT',
    '"@authority": example.com',
    '"content-type": application/json',
    '"@signature-params": ("date" "@authority" "content-type");created=1618884473;keyid="test-shared-secret"',
  ].join('\n');
  const secret = Buffer.from(
    'uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ==',
    'base64',
  );
  const mac = createHmac('sha256', secret).update(base).digest();
  assert.equal(mac.toString('base64'), 'pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=');
  const presented = { base, mac, digest: createHash('sha256').digest() };

  demandTrue({ ...presented, clientId: '', kid: '', nonce: '', created: 0 }, secret, Buffer.of());
});

const other = (text: string) => Buffer.from(text.replace('ORD2', 'ORD3'));
const digestOf = (body: Uint8Array) =>
  `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

const MUST_FAIL: Record<string, Changes> = {
  'another method': { method: 'PUT' },
  'another path': { target: '/v1/call' },
  'a path that is escaped elsewhere': { target: '/v1%2Fcalls' },
  'a query that was added': { target: '/v1/calls?a=1' },
  'another host': { authority: 'other.example' },
  'a header with another value': { headers: { 'Reach-Deadline-Ms': '2501' } },
  'a signed header that was taken away': { headers: { 'Reach-Deadline-Ms': undefined } },
  'a tenant that was added unsigned': { more: ['Reach-Tenant', 'acme'] },
  'a call token that was added unsigned': { more: ['reach-call-token', 'x'] },
  'a second key beside the signed one': { more: ['idempotency-key', '"other"'] },
  'a second content type beside the signed one': { more: ['content-type', 'text/yaml'] },
  'a second label': {
    headers: {
      'Signature-Input': `${INPUT}, other=("@method");created=1`,
      Signature: `${SIGNATURE}, other=:AAAA:`,
    },
  },
  'a second member of the same label': {
    headers: { 'Signature-Input': `reach=("@method");created=1, ${INPUT}` },
  },
  'a signature header that comes twice': { more: ['Signature', SIGNATURE] },
  'a body that was changed under its digest': { body: other(BODY) },
  'a digest that was changed over its body': {
    headers: { 'Content-Digest': digestOf(other(BODY)) },
  },
  'a body and its digest changed together': {
    body: other(BODY),
    headers: { 'Content-Digest': digestOf(other(BODY)) },
  },
  'a digest by another algorithm': { headers: { 'Content-Digest': `md5=:${DIGEST.slice(9)}` } },
  'no digest': { headers: { 'Content-Digest': undefined } },
  'no signature': { headers: { Signature: undefined } },
  'no signature input': { headers: { 'Signature-Input': undefined } },
  'a header named like a component': { more: ['@method', 'POST'] },
  'a MAC with junk that a decoder would skip': {
    headers: { Signature: SIGNATURE.replace('0feY', '0f-eY') },
  },
  'a MAC in another spelling of the same bytes': {
    headers: { Signature: SIGNATURE.replace('tPs=', 'tPt=') },
  },
  'a MAC that is too short': { headers: { Signature: 'reach=:0feY3fuZ:' } },
  'a target with a host': { target: 'http://reach.example:8080/v1/calls' },
  'a header with other than ASCII': { headers: { 'Reach-Deadline-Ms': '2500\u00e9' } },
};

for (const [what, changes] of Object.entries(MUST_FAIL)) {
  test(`refused: ${what}`, () => {
    assert.throws(() => verify(message(changes)), isInvalid);
  });
}

const BAD_INPUTS: Record<string, string> = {
  'an algorithm': `${INPUT};alg="none"`,
  'an algorithm that would be right': `${INPUT};alg="hmac-sha256"`,
  'created as text': INPUT.replace('created=1795996800', 'created="1795996800"'),
  'created as a fraction': INPUT.replace('created=1795996800', 'created=1795996800.5'),
  'created twice': INPUT.replace('created=', 'created=1795996800;created='),
  'no nonce': INPUT.replace(`nonce="${NONCE}";`, ''),
  'a nonce that is too short': INPUT.replace(NONCE, NONCE.slice(1)),
  'another tag': INPUT.replace('reach-v1', 'reach-v2'),
  'no tag': INPUT.replace(';tag="reach-v1"', ''),
  'a key id without a kid': INPUT.replace(':k1', ''),
  'a parameter of a component': INPUT.replace('"@method"', '"@method";req'),
  'less than must be covered': INPUT.replace(' "content-digest"', ''),
  'more than there is': INPUT.replace('"@query"', '"@query" "@status"'),
  'another order': INPUT.replace('"@method" "@authority"', '"@authority" "@method"'),
  'expires before created': INPUT.replace('expires=1795997100', 'expires=1795996799'),
  'expires with created': INPUT.replace('expires=1795997100', 'expires=1795996800'),
  'a life of 301 s': INPUT.replace('expires=1795997100', 'expires=1795997101'),
  'space between parameters': INPUT.replace(';created', '; created'),
};

for (const [what, input] of Object.entries(BAD_INPUTS)) {
  test(`refused, though its MAC is right: ${what}`, () => {
    assert.notEqual(input, INPUT);
    assert.throws(() => verify(resigned(input)), isInvalid);
  });
}

test('parameters in another order verify: other signers sort them as they like', () => {
  const [list, ...params] = INPUT.split(';');

  verify(resigned([list, ...params.toReversed()].join(';')));
});

test('a clock 60 s ahead and a signature 300 s old are taken, one second more is not', () => {
  const at = (seconds: number) => ({ facts: { ...NOW, nowMs: CREATED_MS + seconds * 1_000 } });

  verify(message(), at(-60));
  verify(message(), at(300));
  assert.throws(() => verify(message(), at(-61)), isInvalid);
  assert.throws(() => verify(message(), at(301)), isInvalid);
});

test('a signature is over when it says so, even before the longest life is', () => {
  const short = resigned(INPUT.replace('expires=1795997100', 'expires=1795996810'));

  verify(short, { facts: { ...NOW, nowMs: CREATED_MS + 10_000 } });
  assert.throws(() => verify(short, { facts: { ...NOW, nowMs: CREATED_MS + 11_000 } }), isInvalid);
});

test('another key, and a key that nobody knows, are refused in the same words', () => {
  const said = (secret: Uint8Array | undefined) => {
    try {
      const signed = message();
      demandTrue(present(signed, NOW), secret, signed.body);
    } catch (error) {
      assert.ok(isInvalid(error));
      return (error as Error).message;
    }
    return assert.fail('it was taken');
  };

  // 32 zero bytes are what an unknown key is computed with: a signature by them is worth nothing.
  const unsigned = { ...message(), rawHeaders: Object.entries(HEADERS).flat() };
  const forged = sign(unsigned, { ...KEY, secret: new Uint8Array(32) }, at());
  const zero = message({
    headers: { 'Signature-Input': forged['signature-input'], Signature: forged['signature'] },
  });
  assert.throws(() => demandTrue(present(zero, NOW), undefined, zero.body), isInvalid);
  assert.equal(said(SECRET.toReversed()), said(undefined));
});

function at() {
  return { nowMs: CREATED_MS, nonce: NONCE };
}

test('an empty body is signed as one, and its content type means nothing', () => {
  const get = { method: 'GET', target: '', authority: 'Reach.Example:80', body: Buffer.of() };
  const unsigned = { ...get, rawHeaders: ['content-type', 'application/json'] };
  const headers = sign({ ...unsigned, target: '/v1/agents?q=a' }, KEY, at());

  assert.equal(headers['content-digest'], 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:');
  verify(
    {
      ...unsigned,
      target: '/v1/agents?q=a',
      authority: 'reach.example',
      rawHeaders: [...unsigned.rawHeaders, ...Object.entries(headers).flat()],
    },
    { facts: { ...NOW, authorities: new Set(['reach.example']) } },
  );
});

test('a body that is a part of a larger buffer is digested by its own bytes', () => {
  verify({ ...message(), body: Buffer.from(`x${BODY}x`).subarray(1, -1) });
});

test('what is signed is known by either of its headers', () => {
  assert.equal(isSigned({ signature: 'x' }), true);
  assert.equal(isSigned({ 'signature-input': 'x' }), true);
  assert.equal(isSigned({ 'content-digest': DIGEST }), false);
});

test('a secret is read in the one spelling in which it was written', () => {
  const text = writeSecret(SECRET);

  assert.equal(text, 'rsk_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8');
  assert.deepEqual(readSecret(text), Buffer.from(SECRET));
  for (const wrong of [text.slice(1), text.slice(0, -1), `${text}A`, text.replace(/8$/, '9'), '']) {
    assert.equal(readSecret(wrong), undefined, wrong);
  }
});

const headerValue = fc.stringMatching(/^[!-~]{1,40}$/);
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  target: fc.webPath().map((path) => `/v1${path}`),
  authority: fc.domain(),
  body: fc.uint8Array({ maxLength: 200 }),
  headers: fc.dictionary(
    fc.constantFrom('Idempotency-Key', 'reach-tenant', 'X-Other', 'reach-deadline-ms'),
    headerValue,
  ),
  secret: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  nonce: fc.stringMatching(/^[A-Za-z0-9_-]{22,64}$/),
});

type Row = typeof request extends fc.Arbitrary<infer T> ? T : never;

function signedRequest({ headers, secret, nonce, ...rest }: Row): SignedMessage {
  const rawHeaders = ['content-type', 'application/json', ...Object.entries(headers).flat()];
  const unsigned = { ...rest, rawHeaders };
  const added = sign(unsigned, { ...KEY, secret }, { nowMs: CREATED_MS, nonce });
  return { ...unsigned, rawHeaders: [...rawHeaders, ...Object.entries(added).flat()] };
}

const ANYWHERE: VerifierFacts = { nowMs: CREATED_MS, authorities: undefined };

test('property: what is signed verifies, whatever it is', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  fc.assert(
    fc.property(request, (row) => {
      const { nonce } = verify(signedRequest(row), { facts: ANYWHERE, secret: row.secret });

      assert.equal(nonce, row.nonce);
    }),
    { seed, numRuns: 300 },
  );
});

test('property: one byte changed anywhere that counts is refused', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const COUNTS =
    /^(?:content-(?:digest|type)|signature(?:-input)?|idempotency-key|reach-(?:tenant|deadline-ms))$/i;
  fc.assert(
    fc.property(request, fc.nat(), fc.integer({ min: 1, max: 94 }), (row, place, by) => {
      const whole = signedRequest(row);
      const body = Buffer.from(whole.body);
      // Without a body its type is not signed, for nothing is read by it.
      const counts = (name: string) =>
        COUNTS.test(name) && (body.length > 0 || !/^content-type$/i.test(name));
      const values = whole.rawHeaders.flatMap((name, i) =>
        i % 2 === 0 && counts(name) ? [i + 1] : [],
      );
      const spots = [...values, 'target', ...(body.length > 0 ? ['body'] : [])] as const;
      const spot = spots[place % spots.length];
      let changed: SignedMessage;
      if (spot === 'body') {
        const at = place % body.length;
        body[at] = ((body[at] as number) + by) % 256;
        changed = { ...whole, body };
      } else if (spot === 'target') {
        changed = { ...whole, target: bent(whole.target, place, by) };
      } else {
        const rawHeaders = [...whole.rawHeaders];
        rawHeaders[spot as number] = bent(rawHeaders[spot as number] as string, place, by);
        changed = { ...whole, rawHeaders };
      }

      assert.throws(() => verify(changed, { facts: ANYWHERE, secret: row.secret }), isInvalid);
    }),
    { seed, numRuns: 2_000 },
  );
});

/** The text with one visible character turned into another visible one. */
function bent(text: string, place: number, by: number): string {
  const at = place % text.length;
  const code = ((text.charCodeAt(at) - 33 + (by % 93) + 1) % 94) + 33;
  return text.slice(0, at) + String.fromCharCode(code) + text.slice(at + 1);
}

test('property: no text in the signature’s headers makes the verifier fail otherwise', (t) => {
  const { seed } = testRandom((line) => t.diagnostic(line));
  const names = fc.constantFrom('Signature-Input', 'Signature', 'Content-Digest');
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ maxLength: 3_000 }),
    fc.tuple(fc.nat(), fc.string()).map(([at, put]) => {
      const cut = at % INPUT.length;
      return INPUT.slice(0, cut) + put + INPUT.slice(cut);
    }),
  );
  fc.assert(
    fc.property(names, text, (name, value) => {
      fc.pre(value.trim() !== INPUT);
      assert.throws(() => verify(message({ headers: { [name]: value } })), isInvalid);
    }),
    { seed, numRuns: 2_000 },
  );
});
