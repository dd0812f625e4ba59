import type { Clock, Log, Random } from '@agent-reach/core/kernel';
import { Line } from '../moves/line.ts';
import type { Pg } from './client.ts';

/**
 * The line of a store in PostgreSQL, on a connection of its own. What is told is told by itself, not
 * with a move: at commit NOTIFY takes a lock of the whole database, for which moves would queue.
 *
 * Behind a pooler that hands out connections by the transaction nothing is heard, and gateways find
 * out by looking: in a second at most for tasks, in half a minute for agents.
 */
export function channelOn(
  pg: Pg,
  { url, schema, timeoutMs }: { url: string; schema: string; timeoutMs: number },
  house: { clock: Clock; random: Random; log: Log },
): Line {
  return new Line({
    engine: 'PostgreSQL',
    ...house,
    async open({ heard, lost, signal }) {
      const client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: timeoutMs,
        keepAlive: true,
        application_name: 'agent-reach line',
      });
      client.on('error', lost);
      client.on('end', () => lost(new Error('the connection was closed')));
      client.on('notification', ({ payload }) => heard(payload ?? ''));
      const close = () => client.connection.stream.destroy();
      signal.addEventListener('abort', close, { once: true });
      try {
        await client.connect();
        await client.query(`LISTEN ${schema}`);
      } catch (error) {
        close();
        throw error;
      }
      return {
        send: (text) => client.query('SELECT pg_notify($1, $2)', [schema, text]),
        ping: () => client.query('SELECT 1'),
        close,
      };
    },
  });
}
