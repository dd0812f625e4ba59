import { duration, integer, list, type Option, port, text } from '@agent-reach/core/kernel';

import { readProxies } from './client-address.ts';

/** CIDR blocks and addresses. `true` and a number of proxies, which believe strangers, are none. */
function networks(about: { key: string; default: string[]; doc: string }): Option<string[]> {
  const words = list(about);
  return {
    ...about,
    form: 'a list of CIDR blocks or addresses, separated by commas, and not all addresses',
    read(raw) {
      const said = words.read(raw);
      return said === undefined || readProxies(said) === undefined ? undefined : said;
    },
  };
}

/** Settings of the HTTP door. */
export const HTTP_OPTIONS = {
  host: list({
    key: 'listen.host',
    default: ['127.0.0.1'],
    doc: 'Addresses to listen on. Anything but loopback needs authentication, or `auth.mode: open` in words.',
  }),
  publicUrl: text({
    key: 'public.url',
    default: '',
    doc: 'Scheme and host under which clients reach this gateway, as `https://reach.example`: what it says of itself begins so. Empty: what the client says in `Host`, with the scheme of the listener.',
  }),
  trustProxy: networks({
    key: 'http.trust-proxy',
    default: [],
    doc: 'Networks of the proxies before this gateway, whose `X-Forwarded-For` is believed: of who is listed there, the last that is none of them is who asks. Empty: the other end of the connection. Name your proxies and nobody else, or callers choose the address that they are slowed down by.',
  }),
  tlsCert: text({
    key: 'tls.cert',
    default: '',
    doc: 'File with the certificate of the listeners and those that follow it, in PEM. With `tls.key` all listeners speak TLS (1.2 or newer) and nothing else. Both files are looked at every 10 s; a new pair is shown to new connections. Empty: no TLS.',
  }),
  tlsKey: text({
    key: 'tls.key',
    default: '',
    doc: 'File with the key of `tls.cert`, in PEM. Both or none.',
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
