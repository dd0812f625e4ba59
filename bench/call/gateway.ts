import { serve } from '@agent-reach/server';
import { playRole } from './role.ts';

// The product as `reach serve` starts it: every setting but folder, ports and what stands behind the
// folder as `key=value` is the default.

const [dir = '', ...settings] = process.argv.slice(2);
const gateway = await serve({
  cwd: dir, // Where no reach.yaml is.
  env: {},
  flags: {
    'data.dir': dir,
    'listen.business.port': '0',
    'listen.agents.port': 'off',
    ...Object.fromEntries(settings.map((setting) => setting.split('=', 2))),
  },
});
playRole({ origin: gateway.addresses[0] ?? '', token: gateway.firstToken }, () => gateway.stop());
