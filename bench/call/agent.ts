import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { playRole } from './role.ts';
import { RESULT } from './sample.ts';

// The cheapest agent there is: it reads the request and answers the same to everybody. What the
// calls cost beyond it is what lies in front of it.

const result = Buffer.from(JSON.stringify(RESULT));
const headers = { 'content-type': 'application/json', 'content-length': result.byteLength };

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(200, headers).end(result));
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () => {
  playRole({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
