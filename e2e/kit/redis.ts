import { until } from './bounds.ts';
import { type Folder, openFolder } from './folder.ts';
import { keptPort } from './ports.ts';
import { Program } from './program.ts';

/** A Redis of its own, which keeps nothing. */
export class RedisServer implements AsyncDisposable {
  readonly addr: string;
  readonly #folder: Folder;
  readonly #program: Program;

  private constructor(port: number, folder: Folder) {
    this.addr = `127.0.0.1:${port}`;
    this.#folder = folder;
    const only = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder.path];
    const quiet = ['--save', '', '--appendonly', 'no'];
    this.#program = new Program(['redis-server', ...only, ...quiet]);
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await keptPort(), await openFolder());
    await until('Redis takes connections', () =>
      server.#program.lines.some((line) => line.includes('Ready to accept connections')),
    );
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#program.end('SIGKILL');
    await this.#folder[Symbol.asyncDispose]();
  }
}
