import { serve } from '@agent-reach/server';
import { playRole } from './role.ts';

// The product as `reach serve` starts it: every setting but folder and ports is the default.

const [dir = ''] = process.argv.slice(2);
const gateway = await serve({
  cwd: dir, // Where no reach.yaml is.
  env: {},
  flags: { 'data.dir': dir, 'listen.business.port': '0', 'listen.agents.port': 'off' },
});
playRole(gateway.addresses[0] ?? '', () => gateway.stop());
