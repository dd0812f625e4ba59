import {
  type Clock,
  type Listenable,
  type Log,
  loop,
  rendezvousDraw,
  type Service,
  Signal,
} from '@agent-reach/core/kernel';
import type { Channel } from '../storage/spi/shared.ts';
import { type Change, markOf, type Message, type Node, read, write } from './changes.ts';

/** What the room needs. */
export interface PeersPorts {
  /** Absent: no other process can be on the store. */
  channel: Channel | undefined;
  /** This gateway. */
  self: Node;
  clock: Clock;
  log: Log;
}

/** How often a gateway says that it is there. */
const HERE_MS = 1_000;
/** One that was not heard for so long is taken for dead: its work is done by the others. */
const SILENT_MS = 3_500;
/** Changes travel in company; each waits this long for others at most. */
const LINGER_MS = 2;
/** How long a gateway that starts waits for others to answer its greeting. */
const GREETING_MS = 250;
/** What waits to be told is a hint; beyond this the oldest are dropped. */
const UNTOLD_MAX = 10_000;

/**
 * The other gateways on the same store: who is there, what they tell, and which of all does the work
 * that one alone shall do. Everything here is soft: a gateway that hears nobody does everything
 * itself, which costs work and harms nothing.
 */
export class Peers implements Service {
  readonly #ports: PeersPorts;
  readonly #others = new Map<string, { node: Node; heardAt: number }>();
  readonly #heard: Signal<Change>;
  readonly #missed: Signal<void>;
  readonly #beat: Service;
  /** What every message says of this gateway. */
  #word: 'here' | 'bye' = 'here';
  #untold: Change[] = [];
  #timer: Disposable | undefined;
  #ear: AsyncDisposable | undefined;

  constructor(ports: PeersPorts) {
    this.#ports = ports;
    const failed = (error: unknown) => ports.log.error({ err: error }, 'a change was not taken in');
    this.#heard = new Signal(failed);
    this.#missed = new Signal(failed);
    this.#beat = loop({
      clock: ports.clock,
      pauseMs: () => HERE_MS,
      round: async () => {
        this.#forgetSilent();
        this.#say(this.#word, []);
      },
      onError: failed,
    });
  }

  /** What others told. */
  get heard(): Listenable<Change> {
    return this.#heard;
  }

  /** Others may have told something that was not heard. */
  get missed(): Listenable<void> {
    return this.#missed;
  }

  get self(): Node {
    return this.#ports.self;
  }

  /** This gateway and all others that live, by id. */
  get living(): readonly Node[] {
    const others = [...this.#others.values()].map(({ node }) => node);
    return [this.#ports.self, ...others].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** How many gateways live. Asked at calls: `living` makes and sorts a list each time. */
  get count(): number {
    return 1 + this.#others.size;
  }

  /** Whether there can be others, now or later. */
  get isPossible(): boolean {
    return this.#ports.channel !== undefined;
  }

  /** Whether no other is known to live. */
  get isAlone(): boolean {
    return this.#others.size === 0;
  }

  /** Whether, of all gateways that live, this one is to look after `key`. */
  isMine(key: string): boolean {
    const { self } = this.#ports;
    if (this.#word === 'bye') return this.isAlone;
    const own = rendezvousDraw(self.id, key, 1);
    for (const id of this.#others.keys()) if (rendezvousDraw(id, key, 1) > own) return false;
    return true;
  }

  /** Tells the others, soon and in company. */
  tell(change: Change): void {
    // Nobody to tell: a gateway alone on its store pays nothing for the others that might come.
    if (this.#ear === undefined || this.isAlone) return;
    if (this.#untold.length >= UNTOLD_MAX) this.#untold.shift();
    this.#untold.push(change);
    this.#timer ??= this.#ports.clock.timer(LINGER_MS, () => this.#flush());
  }

  /** Listens, greets, and waits a moment for those who answer. */
  async start(): Promise<void> {
    const { channel, clock, self } = this.#ports;
    if (channel === undefined) return;
    const isOwn = markOf(self);
    this.#ear = await channel.listen({
      // Its own texts come back to it.
      heard: (text) => (isOwn(text) ? undefined : this.#take(read(text))),
      missed: () => {
        // Who is leaving says so again, and greets nobody.
        this.#say(this.#word === 'bye' ? 'bye' : 'hello', []);
        this.#missed.emit();
      },
    });
    this.#say('hello', []);
    await clock.sleep(GREETING_MS);
    await this.#beat.start();
  }

  /** Leaves what one alone does to the others, and goes on hearing and telling until it stops. */
  withdraw(): void {
    this.#word = 'bye';
    if (this.#ear !== undefined) this.#say('bye', []);
  }

  async stop(): Promise<void> {
    await this.#beat.stop();
    this.#flush();
    this.withdraw();
    await this.#ear?.[Symbol.asyncDispose]();
    this.#ear = undefined;
    this.#others.clear();
  }

  #flush(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    const changes = this.#untold;
    this.#untold = [];
    if (changes.length > 0) this.#say(this.#word, changes);
  }

  #say(word: Message['word'], changes: readonly Change[]): void {
    const { channel, self } = this.#ports;
    for (const text of write({ from: self, word, changes })) channel?.send(text);
  }

  #take(message: Message | undefined): void {
    if (message === undefined) return;
    const { from, word, changes } = message;
    if (word === 'bye') this.#leave(from, 'leaves');
    else this.#meet(from);
    if (word === 'hello') this.#say(this.#word, []);
    for (const change of changes) this.#heard.emit(change);
  }

  #meet(node: Node): void {
    const isNew = !this.#others.has(node.id);
    this.#others.set(node.id, { node, heardAt: this.#ports.clock.monotonic() });
    if (isNew) this.#ports.log.info({ gateway: node.name, id: node.id }, 'a gateway is there');
  }

  #forgetSilent(): void {
    const now = this.#ports.clock.monotonic();
    for (const { node, heardAt } of this.#others.values()) {
      if (now - heardAt > SILENT_MS) this.#leave(node, 'fell silent');
    }
  }

  #leave({ id, name }: Node, how: string): void {
    if (!this.#others.delete(id)) return;
    this.#ports.log.warn({ gateway: name, id }, `a gateway ${how}`);
  }
}
