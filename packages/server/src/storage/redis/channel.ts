import type { Clock, Log, Random } from '@agent-reach/core/kernel';
import { Line } from '../moves/line.ts';
import type { Library } from './client.ts';
import type { Connection } from './connection.ts';

/**
 * The line of a store in Redis: published on the connection of all commands, heard on one of its own,
 * because a connection that is subscribed may do nothing else.
 */
export function channelOn(
  connection: Connection,
  name: string,
  house: { library: Library; url: string; clock: Clock; random: Random; log: Log },
): Line {
  const { library, url, clock, random, log } = house;
  return new Line({
    engine: 'Redis',
    clock,
    random,
    log,
    async open({ heard, lost, signal }) {
      const client = library.open(url);
      client.on('error', lost);
      signal.addEventListener('abort', () => client.destroy(), { once: true });
      try {
        await client.connect();
        await client.subscribe(name, heard);
      } catch (error) {
        client.destroy();
        throw error;
      }
      return {
        send: (text) => connection.send(['PUBLISH', name, text], false),
        ping: () => client.ping(),
        close: () => client.destroy(),
      };
    },
  });
}
