import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A wire to a server that a test can cut, or silence. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Cuts every connection that there is; others may be made. */
  cut(): void;
  /** Passes nothing on any more, in either direction, and says nothing of it: half-open. */
  silence(): void;
  /** Passes on what was held back, and what comes. */
  resume(): void;
  /** Cuts every connection and refuses others, until `listen`. */
  refuse(): Promise<void>;
  listen(): Promise<void>;
}

/** A proxy before the server of a URL. */
export async function openProxy(target: string): Promise<Proxy> {
  const { hostname, port: targetPort } = new URL(target);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let port = 0;
  let server: Server | undefined;

  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => {}); // Its end is told by `close`.
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (isSilent) from.pause();
  };
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const listen = async () => {
    server = createServer((near) => {
      const far = connect(Number(targetPort), hostname);
      join(near, far);
      join(far, near);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (typeof address === 'object' && address !== null) port = address.port;
  };
  const refuse = async () => {
    const closed = server && once(server, 'close');
    server?.close();
    cut();
    await closed;
    server = undefined;
  };
  await listen();
  return {
    get url() {
      return `redis://127.0.0.1:${port}`;
    },
    cut,
    silence() {
      isSilent = true;
      for (const socket of sockets) socket.pause();
    },
    resume() {
      isSilent = false;
      for (const socket of sockets) socket.resume();
    },
    refuse,
    listen,
    [Symbol.asyncDispose]: refuse,
  };
}
