import { type HandlersOf, openapi, ReachError } from '@agent-reach/core';
import { type Clock, iso } from '@agent-reach/core/kernel';
import type { Peers } from '../peers/peers.ts';
import type { Directory } from '../registry/directory.ts';
import type { RegistryPorts } from '../registry/ports.ts';
import type { EmbeddingState } from '../routing/embedding.ts';
import type { Config } from './config.ts';
import { VERSION } from './version.ts';

/** Where the house is between start and stop. */
export type HouseState = 'starting' | 'ok' | 'stopping' | 'failing';

function embedderIn(embedder: EmbeddingState['is'] | undefined) {
  return embedder === undefined ? {} : { embedder };
}

/** What the house says of itself. */
export function systemHandlers(ports: {
  config: Config;
  directory: Directory;
  peers: Peers;
  clock: Clock;
  driver: string;
  node: string;
  /** What is known of the embedder; undefined: there is none. */
  embedder: () => EmbeddingState['is'] | undefined;
  state: () => HouseState;
  registry: Pick<RegistryPorts, 'silences' | 'doubt'>;
}): HandlersOf<'system'> {
  const { silences, doubt } = ports.registry;
  const isHeld = () => silences.held.length > 0;
  const startedAt = ports.clock.monotonic();
  let document: Record<string, unknown> | undefined;
  return {
    'system.health': () => ({
      status: ports.state(),
      ...embedderIn(ports.embedder()),
      version: VERSION,
      node: ports.node,
      storage: ports.driver,
      uptime_ms: Math.round(ports.clock.monotonic() - startedAt),
      agents: ports.directory.count(),
      self_preservation: isHeld(),
      doubt: doubt.level,
    }),
    'system.livez': () => ({ status: 'ok' }),
    'system.readyz': () => {
      const state = ports.state();
      if (state === 'ok')
        return isHeld() ? { status: 'ok', self_preservation: true } : { status: 'ok' };
      if (state === 'failing') {
        throw new ReachError('store-unavailable', 'The store does not answer this gateway.', {
          retry_after_ms: 1_000,
        });
      }
      throw new ReachError('overloaded', `The gateway is ${state}.`, {
        retry_after_ms: 1_000,
      });
    },
    'system.openapi': () => (document ??= openapi(VERSION)),
    'system.resource-metadata': (_, { origin = '' }) => {
      const { issuer, audience } = ports.config.settings.oidc;
      if (issuer === '') throw new ReachError('not-found', 'No issuer’s tokens are taken here.');
      return {
        resource: URL.canParse(audience) ? audience : origin,
        resource_name: 'Agent-Reach',
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
      };
    },
    'system.gateways': () => ({
      gateways: ports.peers.living.map(({ id, name, since }) => ({
        id,
        node: name,
        since: iso(since),
        is_self: id === ports.peers.self.id,
      })),
    }),
    'system.config': () => ({ options: ports.config.shown }),
  };
}
