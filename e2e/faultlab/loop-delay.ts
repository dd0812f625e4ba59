/**
 * Loaded into a gateway (`--import`), measures how late its event loop comes round, and writes it
 * to the file that LOOP_DELAY_FILE names when the process ends. SIGUSR2 begins anew.
 */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const file = process.env['LOOP_DELAY_FILE'];

if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('SIGUSR2', () => delay.reset());
  process.on('exit', () => {
    const [p50, p99, max] = [delay.percentile(50), delay.percentile(99), delay.max];
    writeFileSync(file, JSON.stringify({ p50: p50 / 1e6, p99: p99 / 1e6, max: max / 1e6 }));
  });
}
