import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire to PostgreSQL that can be cut, frozen and watched. */
export interface TcpProxy extends AsyncDisposable {
  port: number;
  /** Resets every connection; new ones are welcome. */
  cut(): void;
  /** From now on nothing passes either way, and nobody is told. */
  freeze(): void;
  /** Resolves when it froze by a word. */
  readonly frozen: Promise<void>;
  /** New connections pass again; what stood still once stays so. */
  thaw(): void;
  /** Loses the next bytes of a client that contain `word`, and resets its connection or freezes. */
  at(word: string, act: 'cut' | 'freeze'): void;
}

/** Opens a proxy on a free port of this machine. */
export async function openTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const lines = new Set<Line>();
  const { promise: frozen, resolve: onFrozen } = Promise.withResolvers<void>();
  const state: State = { isFrozen: false, onFrozen };
  const proxy = createServer((client) => join({ client, server: connect(target) }, lines, state));
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const cut = () => {
    for (const line of lines) reset(line);
  };
  return {
    port: (proxy.address() as AddressInfo).port,
    cut,
    frozen,
    freeze: () => {
      state.isFrozen = true;
    },
    thaw: () => {
      state.isFrozen = false;
    },
    at: (word, act) => {
      state.next = { word, act };
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

interface State {
  isFrozen: boolean;
  onFrozen: () => void;
  next?: { word: string; act: 'cut' | 'freeze' };
}

/** One connection through the proxy. */
interface Line {
  client: Socket;
  server: Socket;
}

function join(line: Line, lines: Set<Line>, state: State): void {
  const { client, server } = line;
  let isStill = false;
  const passes = () => {
    isStill ||= state.isFrozen;
    return !isStill;
  };
  lines.add(line);
  client.on('data', (bytes) => {
    if (!passes()) return;
    const { next } = state;
    if (next === undefined || !bytes.includes(next.word)) {
      server.write(bytes);
      return;
    }
    delete state.next;
    if (next.act === 'cut') reset(line);
    else {
      state.isFrozen = true;
      state.onFrozen();
    }
  });
  server.on('data', (bytes) => {
    if (passes()) client.write(bytes);
  });
  for (const socket of [client, server]) {
    socket.on('error', () => {});
    socket.on('close', () => {
      client.destroy();
      server.destroy();
      lines.delete(line);
    });
  }
}

function reset({ client, server }: Line): void {
  client.resetAndDestroy();
  server.destroy();
}
