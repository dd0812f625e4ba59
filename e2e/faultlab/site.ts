import { join } from 'node:path';
import { openWire, type Wire } from '@agent-reach/core/testing';
import { Gateway, type GatewayOptions } from '../kit/gateway.ts';
import type { LabStore, Place, Wishes } from './stores.ts';

/** What is put up: so many gateways on a store. */
export interface World {
  store: LabStore;
  gateways: number;
}

/** How it is put up. */
export interface SiteOptions extends Omit<GatewayOptions, 'dataDir'>, Wishes {
  /** Lays a wire between each gateway and its store, or its agents, that can be cut. */
  wires?: 'store' | 'agents';
  /** What one gateway is told besides. */
  each?: (n: number) => Pick<GatewayOptions, 'env' | 'heard'>;
}

/** A store of its own, the gateways on it, and the wires between. */
export class Site implements AsyncDisposable {
  readonly place: Place;
  readonly gateways: readonly Gateway[];
  /** By gateway: its wires to the store, or to its agents. */
  readonly wires: readonly (readonly Wire[])[];
  readonly #stack: AsyncDisposableStack;
  readonly #options: SiteOptions;

  private constructor(
    parts: Pick<Site, 'place' | 'gateways' | 'wires'>,
    stack: AsyncDisposableStack,
    options: SiteOptions,
  ) {
    this.place = parts.place;
    this.gateways = parts.gateways;
    this.wires = parts.wires;
    this.#stack = stack;
    this.#options = options;
  }

  static async open({ store, gateways: count }: World, options: SiteOptions): Promise<Site> {
    await using stack = new AsyncDisposableStack();
    const place = stack.use(await store.place(options));
    const gateways: Gateway[] = [];
    const wires: Wire[][] = [];
    for (let n = 0; n < count; n++) {
      const own: Wire[] = [];
      const addresses: Record<string, string> = { ...place.addresses };
      if (options.wires === 'store') {
        for (const [option, url] of Object.entries(addresses)) {
          const wire = stack.use(await openWire(url));
          own.push(wire);
          addresses[option] = wire.url;
        }
      }
      const set = { ...place.set, ...addresses, ...options.set };
      const told = { ...options, ...options.each?.(n), ...dirOf(place), set };
      const gateway = stack.use(await Gateway.start(told));
      if (options.wires === 'agents') own.push(stack.use(await openWire(gateway.agentUrl)));
      gateways.push(gateway);
      wires.push(own);
    }
    return new Site({ place, gateways, wires }, stack.move(), options);
  }

  /** Where callers ask: the gateway `first`, and where that one cannot be had the others. */
  urls(first = 0): string[] {
    return rotated(
      this.gateways.map(({ url }) => url),
      first,
    );
  }

  /** Where agents ask. */
  agentUrls(first = 0): string[] {
    const byWire = this.#options.wires === 'agents';
    const urls = this.gateways.map(({ agentUrl }, n) =>
      byWire ? (this.wires[n]?.[0]?.url ?? agentUrl) : agentUrl,
    );
    return rotated(urls, first);
  }

  /** Where the first gateway keeps its data, if it keeps any by itself. */
  get dataDir(): string {
    return this.place.dataDir ?? join(this.gateways[0]?.folder.path ?? '', 'data');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync();
  }
}

function dirOf({ dataDir }: Place): Pick<GatewayOptions, 'dataDir'> {
  return dataDir === undefined ? {} : { dataDir };
}

function rotated(all: readonly string[], first: number): string[] {
  return all.map((_, n) => all[(first + n) % all.length] ?? '');
}
