import { Reach } from '@agent-reach/sdk';

const reach = new Reach({ agentId: 'finance' });

const { task_id: id } = await reach.tasks.submit({
  task_type: 'render_report',
  payload: { month: 3 },
  priority: 6,
  timeout: '10m',
});
const task = await reach.tasks.wait(id);
process.stdout.write(`${task.status}: ${JSON.stringify(task.result ?? task.reason)}\n`);
for (const says of (await reach.tasks.why(id)).says) process.stdout.write(`${says}\n`);
