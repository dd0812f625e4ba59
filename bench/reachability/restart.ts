import { askerOf, openBench } from './house.ts';

/** What readers of changes were sent while a fleet restarted. */
export interface RestartPushes {
  agents: number;
  readers: number;
  sent: number;
  /** If each going and each coming were told to each. */
  naive: number;
}

const AGENTS = 60;
const READERS = 100;
const OVER_MS = 2_000;
const AFTER_MS = 3_000;

/** Sixty agents restart one after the other within two seconds, and a hundred read of it. */
export async function restartPushes(seed: number): Promise<RestartPushes> {
  await using bench = await openBench(seed);
  const { clock, house } = bench;
  for (let n = 0; n < AGENTS; n++) {
    await bench.register({ name: `agent-${n}`, capabilities: [`look_up_${n % 10}`] });
  }
  const gone = new AbortController();
  let sent = 0;
  const read = async () => {
    const asker = { ...askerOf('reader'), signal: gone.signal };
    for await (const { data } of await house.handlers['agents.changes']({}, asker)) {
      if (data.type === 'changes') sent += 1;
    }
  };
  const readers = Array.from({ length: READERS }, read);
  await clock.advance(5_000);
  sent = 0;
  const from = clock.monotonic();
  for (let n = 0; n < AGENTS; n++) {
    const name = `agent-${n}`;
    const due = from + (OVER_MS * n) / AGENTS;
    await clock.advance(Math.max(0, due - clock.monotonic()));
    const { instances } = await house.handlers['agents.get']({ agent_id: name }, askerOf(name));
    const instanceId = instances[0]?.instance_id ?? '';
    await house.handlers['agents.remove'](
      { agent_id: name, instance_id: instanceId },
      askerOf(name),
    );
    await bench.register({ name, capabilities: [`look_up_${n % 10}`], bootId: 'boot-2' });
  }
  await clock.advance(AFTER_MS);
  gone.abort();
  await Promise.all(readers);
  return { agents: AGENTS, readers: READERS, sent, naive: 2 * AGENTS * READERS };
}
