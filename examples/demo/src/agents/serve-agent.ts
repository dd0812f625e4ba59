import { type Agent, openLog } from '@agent-reach/sdk';

/**
 * What all agents of the demo have in common: they log trouble only, and stop without lingering.
 */
export const demoAgent = {
  log: openLog('error'),
  // Every call of the demo comes through the gateway, which knows of a drain at once.
  lingerMs: 50,
} as const;

/**
 * Starts an agent and tells the demo, if it runs in one. Without its demo it does not stay behind.
 */
export async function serveAgent(agent: Agent): Promise<void> {
  process.once('disconnect', () => void agent.stop().then(() => process.exit(0)));
  await agent.start();
  process.send?.('ready');
}
