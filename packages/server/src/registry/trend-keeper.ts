import { loop, type Service } from '@agent-reach/core/kernel';
import type { RegistryPorts } from './ports.ts';
import { MINUTE_MS } from './trend.ts';

/** Notes the score of every instance once a minute. */
export function trendKeeper(ports: RegistryPorts): Service {
  const { clock, directory, scores, trend } = ports;
  return loop({
    clock,
    pauseMs: () => MINUTE_MS - (clock.now() % MINUTE_MS),
    onError: (error) => ports.log.error({ err: error }, 'scores could not be noted'),
    async round() {
      for (const instance of directory.allInstances()) {
        trend.note(instance.key, clock.now(), scores.of(instance).score);
      }
    },
  });
}
