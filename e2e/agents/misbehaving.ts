/**
 * An agent that does everything wrong, one capability for each way of it.
 *
 *     misbehaving.ts [--port 0]
 *
 * All are plain writes, so that nothing is sent twice, but for those whose name begins with `read-`.
 */
import { type Bare, json, serveBare } from './bare.ts';
import { say } from './stage.ts';

const TEXT = { 'content-type': 'text/html' };
const JSON_TYPE = { 'content-type': 'application/json' };

const BEHAVIOURS: Record<string, Bare> = {
  'bad-json': (_, response) => {
    response.writeHead(200, JSON_TYPE).end('{"status": "shipp');
  },
  'twice-json': (_, response) => {
    response.writeHead(200, JSON_TYPE).end('{"status":"a","status":"b"}');
  },
  'wrong-type': (_, response) => {
    response.writeHead(200, TEXT).end('<h1>It works!</h1>');
  },
  'wrong-schema': (_, response) => json(response, 200, { status: 7 }),
  'problem-as-success': (_, response) => {
    response.writeHead(200, { 'content-type': 'application/problem+json' }).end('{"status":500}');
  },
  fails: (_, response) => json(response, 500, { detail: 'secret: hunter2' }),
  refuses: (_, response) => json(response, 404, { code: 'no-order', detail: 'No such order.' }),
  forbids: (_, response) => json(response, 403, {}),
  'is-busy': (_, response) => {
    response.writeHead(503, { ...JSON_TYPE, 'retry-after': '7' }).end('{"executed":"no"}');
  },
  later: (_, response) => json(response, 202, {}),
  redirects: (_, response) => {
    response.writeHead(302, { location: 'http://127.0.0.1:1/elsewhere' }).end();
  },
  'closes-socket': ({ request }) => {
    request.socket.destroy();
  },
  'breaks-off': ({ request }, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': '100' }).write('{"a":', () => {
      request.socket.destroy();
    });
  },
  'no-http': ({ request }) => {
    request.socket.end('220 mail.example ESMTP\r\n');
  },
  // As much as the gateway takes, as fast as it takes it, and no end.
  endless: (_, response) => {
    response.writeHead(200, JSON_TYPE).write('"');
    const chunk = 'x'.repeat(256 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', more);
    more();
  },
  drips: (_, response) => {
    response.writeHead(200, JSON_TYPE).write('"');
    const drip = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(drip));
  },
  'read-silent': ({ request }) => {
    say('silent', { deadline: request.headers['reach-deadline-ms'] });
  },
  silent: ({ request }) => {
    say('silent', { deadline: request.headers['reach-deadline-ms'] });
  },
};

/** For those who wait for their limit; the others answer at once and need none. */
const LIMITS: Record<string, number> = { drips: 400, silent: 400, 'read-silent': 400 };
const LIMIT_MS = 5_000;

await serveBare(
  'misbehaving',
  Object.keys(BEHAVIOURS).map((name) => ({
    name,
    description: `Answers ${name}.`,
    ...(name.startsWith('read-')
      ? { effect: 'read' }
      : { effect: 'write', idempotency: 'gateway' }),
    output_schema: { type: 'object', properties: { status: { type: 'string' } } },
    sla: { timeout_ms: LIMITS[name] ?? LIMIT_MS },
  })),
  BEHAVIOURS,
);
