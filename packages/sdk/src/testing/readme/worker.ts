import { Agent, Rejection, type Task } from '@agent-reach/sdk';

await new Agent({ name: 'reports', maxConcurrency: 8 })
  .handle(
    'render_report',
    async ({ payload: { month } }: Task<{ month: number }>, ctx) => {
      if (month > 12) throw new Rejection('no-month', `There is no month ${month}.`);
      const pages: string[] = [];
      for (let page = 1; page <= 3; page++) {
        ctx.signal.throwIfAborted();
        ctx.progress((page * 100) / 3, `page ${page}`);
        pages.push(`month ${month}, page ${page}`);
      }
      return { pages };
    },
    { description: 'Renders the sales report of a month. 生成月度销售报表', effect: 'read' },
  )
  .start();
