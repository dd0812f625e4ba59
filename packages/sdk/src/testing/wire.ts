import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** A wire to a gateway, at an address of its own, that a test can cut or freeze. */
export class Wire implements AsyncDisposable {
  readonly #target: number;
  readonly #sockets = new Set<Socket>();
  #server: Server;
  #port = 0;
  /** Connections are accepted and bytes are taken, and nothing is passed on. */
  #isFrozen = false;
  /** The next answer is not passed on: its connection is reset in its place. */
  #breaks = 0;
  /** How many connections were made. */
  connections = 0;

  private constructor(target: string) {
    this.#target = Number(new URL(target).port);
    this.#server = this.#serve();
  }

  static async to(target: string): Promise<Wire> {
    const wire = new Wire(target);
    await wire.restore();
    return wire;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** So many answers are lost: each arrives here, and its connection is reset. */
  breakAnswers(count: number): void {
    this.#breaks = count;
  }

  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const socket of this.#sockets) socket.resume();
  }

  /** As a killed process: every connection is reset, and new ones are refused. */
  async cut(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await once(this.#server, 'close');
  }

  /** Listens again where it was. */
  async restore(): Promise<void> {
    this.#server = this.#serve().listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as { port: number }).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.cut();
  }

  #serve(): Server {
    return createServer((near) => {
      this.connections++;
      const far = connect(this.#target, '127.0.0.1');
      this.#join(near, far, () => false);
      this.#join(far, near, () => this.#breaks > 0 && this.#breaks-- > 0);
    });
  }

  #join(from: Socket, to: Socket, isLost: () => boolean): void {
    this.#sockets.add(from);
    from.on('data', (bytes) => {
      if (isLost()) to.resetAndDestroy();
      else to.write(bytes);
    });
    from.on('error', () => {}); // Its end is told by `close`.
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
    if (this.#isFrozen) from.pause();
  }
}
