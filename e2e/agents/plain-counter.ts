/**
 * A counter without the SDK: every request that arrives takes effect, however often it comes. What
 * keeps one key to one effect here is the gateway alone.
 *
 *     plain-counter.ts --file effects [--port 0]
 */
import { json, serveBare } from './bare.ts';
import { effects, takeEffect } from './effects.ts';
import { flag, hold, say } from './stage.ts';

const file = flag('file') ?? '';

await serveBare(
  'plain-counter',
  [{ name: 'count', description: 'Counts.', effect: 'write', idempotency: 'gateway' }],
  {
    async count({ params, request }, response) {
      const key = String(request.headers['idempotency-key'] ?? '-').replaceAll('"', '');
      takeEffect(file, key);
      say('ran', { key });
      if (params['hold'] === true) await hold();
      json(response, 200, { count: effects(file, key).length });
    },
  },
);
