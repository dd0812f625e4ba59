import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A wire to a server that a test can cut, freeze and watch. */
export interface Wire extends AsyncDisposable {
  /** The address of the server, by this wire. */
  readonly url: string;
  /** Resets every connection that there is; others may be made. */
  cut(): void;
  /** From now on nothing passes, in either direction, and nobody is told. */
  freeze(): void;
  /** Passes on what was held back, and what comes. */
  thaw(): void;
  /** New connections pass; those that stood still stay so for ever: half-open. */
  forget(): void;
  /** Resets every connection and refuses others, until `listen`. */
  refuse(): Promise<void>;
  listen(): Promise<void>;
  /** Loses the next bytes of a client that contain `word`, and cuts its connection or freezes all. */
  at(word: string, act: 'cut' | 'freeze'): void;
  /** Resolves when it froze by a word. */
  readonly frozen: Promise<void>;
}

/** Where servers are whose URL does not say. */
const USUAL_PORTS: Readonly<Record<string, number>> = {
  'http:': 80,
  'redis:': 6379,
  'postgres:': 5432,
};

/** One connection through a wire. */
interface Line {
  client: Socket;
  server: Socket;
}

/** Lays a wire, at a free port of this machine, to the server of a URL. */
export async function openWire(target: string): Promise<Wire> {
  const far = new URL(target);
  const wire = new TcpWire(far.hostname, Number(far.port || USUAL_PORTS[far.protocol]));
  await wire.listen();
  far.hostname = '127.0.0.1';
  far.port = String(wire.port);
  return Object.assign(wire, { url: far.href });
}

class TcpWire implements Omit<Wire, 'url'> {
  readonly #host: string;
  readonly #farPort: number;
  readonly #lines = new Set<Line>();
  readonly #frozen = Promise.withResolvers<void>();
  #server: Server | undefined;
  #isFrozen = false;
  #next: { word: string; act: 'cut' | 'freeze' } | undefined;
  port = 0;

  constructor(host: string, port: number) {
    this.#host = host;
    this.#farPort = port;
  }

  get frozen(): Promise<void> {
    return this.#frozen.promise;
  }

  cut(): void {
    for (const line of this.#lines) reset(line);
  }

  freeze(): void {
    this.#isFrozen = true;
    this.#each((socket) => socket.pause());
  }

  thaw(): void {
    this.#isFrozen = false;
    this.#each((socket) => socket.resume());
  }

  forget(): void {
    this.#isFrozen = false;
  }

  async refuse(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = server && once(server, 'close');
    server?.close();
    this.cut();
    await closed;
  }

  async listen(): Promise<void> {
    const server = createServer((client) => {
      this.#join({ client, server: connect(this.#farPort, this.#host) });
    });
    this.#server = server.listen(this.port, '127.0.0.1');
    await once(server, 'listening');
    this.port = (server.address() as AddressInfo).port;
  }

  at(word: string, act: 'cut' | 'freeze'): void {
    this.#next = { word, act };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.refuse();
  }

  #join(line: Line): void {
    const { client, server } = line;
    this.#lines.add(line);
    client.on('data', (bytes: Buffer) => {
      if (!this.#isLost(bytes, line)) server.write(bytes);
    });
    server.on('data', (bytes) => client.write(bytes));
    for (const socket of [client, server]) {
      socket.on('error', () => {}); // Its end is told by `close`.
      socket.on('close', () => {
        client.destroy();
        server.destroy();
        this.#lines.delete(line);
      });
      if (this.#isFrozen) socket.pause();
    }
  }

  /** Whether these bytes hold the word that is waited for; then they go no further. */
  #isLost(bytes: Buffer, line: Line): boolean {
    const next = this.#next;
    if (next === undefined || !bytes.includes(next.word)) return false;
    this.#next = undefined;
    if (next.act === 'cut') reset(line);
    else {
      this.freeze();
      this.#frozen.resolve();
    }
    return true;
  }

  #each(act: (socket: Socket) => void): void {
    for (const { client, server } of this.#lines) for (const one of [client, server]) act(one);
  }
}

function reset({ client, server }: Line): void {
  client.resetAndDestroy();
  server.resetAndDestroy();
}
