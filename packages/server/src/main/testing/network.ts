import {
  type Clock,
  type Fetch,
  FetchFailure,
  type FetchRequest,
  type FetchResponse,
} from '@agent-reach/core/kernel';

/** What a machine of the test network does with a request. */
export type Machine = (request: FetchRequest) => Promise<FetchResponse> | FetchResponse;

/** A network in memory: hosts that answer, stall, refuse and vanish as the test says. */
export class Network {
  readonly #clock: Clock;
  readonly #machines = new Map<string, Machine>();
  /** Everything that was sent, in order. */
  readonly sent: FetchRequest[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Puts a machine at an origin, or takes it away. */
  at(origin: string, machine: Machine | undefined): void {
    if (machine === undefined) this.#machines.delete(origin);
    else this.#machines.set(origin, machine);
  }

  /** Requests that were real work, not probes. */
  get calls(): FetchRequest[] {
    return this.sent.filter((request) => request.method === 'POST');
  }

  get fetch(): Fetch {
    return this.fetchBy(new Map());
  }

  /** The network as it is seen from one place, where some hosts cannot be reached as they are. */
  fetchBy(way: ReadonlyMap<string, Machine | undefined>): Fetch {
    const send = async (request: FetchRequest): Promise<FetchResponse> => {
      this.sent.push(request);
      const { origin, hostname } = new URL(request.url);
      if (hostname.endsWith('.invalid')) {
        throw new FetchFailure('resolve', false, `${hostname} does not resolve.`);
      }
      const machine = way.has(origin) ? way.get(origin) : this.#machines.get(origin);
      if (machine === undefined) {
        throw new FetchFailure('connect', false, `${origin} refuses connections.`);
      }
      return this.#inTime(request, machine);
    };
    return Object.assign(send, {
      judge: async (url: string) => {
        const { hostname } = new URL(url);
        if (hostname.endsWith('.invalid')) {
          return { verdict: 'unresolved' as const, detail: `${hostname} does not resolve.` };
        }
        if (hostname === '169.254.169.254') {
          return {
            verdict: 'refused' as const,
            address: hostname,
            detail: 'is a metadata address',
          };
        }
        return { verdict: 'allowed' as const, addresses: [hostname] };
      },
    });
  }

  #inTime(request: FetchRequest, machine: Machine): Promise<FetchResponse> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.timer(request.timeoutMs, () => {
        reject(new FetchFailure('timeout', true, `no answer within ${request.timeoutMs} ms`));
      });
      const abort = () => reject(new FetchFailure('aborted', true, 'aborted'));
      request.signal?.addEventListener('abort', abort, { once: true });
      Promise.resolve(machine(request))
        .then(resolve, reject)
        .finally(() => {
          timer[Symbol.dispose]();
          request.signal?.removeEventListener('abort', abort);
        });
    });
  }
}

/** A JSON answer. */
export function json(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): FetchResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: Buffer.from(JSON.stringify(body)),
  };
}

/** Never answers. */
export function silence(): Promise<FetchResponse> {
  return new Promise(() => {});
}

/** The connection breaks after the request was sent. */
export function reset(): never {
  throw new FetchFailure('reset', true, 'the connection was reset');
}
