import { duration, integer, list, port } from '@agent-reach/core/kernel';

/** Settings of the HTTP door. */
export const HTTP_OPTIONS = {
  host: list({
    key: 'listen.host',
    default: ['127.0.0.1'],
    doc: 'Addresses to listen on. Anything but loopback needs authentication, or `auth.mode: open` in words.',
  }),
  businessPort: port({
    key: 'listen.business.port',
    default: 8080,
    doc: 'Port for callers and people.',
  }),
  agentPort: port({
    key: 'listen.agents.port',
    default: 8081,
    doc: 'Port for agents; it serves the same operations. `off` leaves everything on the business port.',
  }),
  bodyBytesMax: integer({
    key: 'http.body.max',
    default: 1_048_576,
    min: 1_024,
    max: 67_108_864,
    doc: 'Largest request body, bytes. Each request in flight may hold as much memory.',
  }),
  bodyDepthMax: integer({
    key: 'http.body.depth.max',
    default: 64,
    min: 4,
    max: 1_000,
    doc: 'Deepest nesting of a JSON body.',
  }),
  requestTimeoutMs: duration({
    key: 'http.request.timeout',
    default: 30_000,
    min: 1_000,
    max: 600_000,
    doc: 'How long a client may take to send its request. Longer lets slow clients hold sockets.',
  }),
} as const;
