import { lazily, type Row } from './row.ts';

const weights = () => import('./commands/weights.ts');
const policies = () => import('./commands/policies.ts');

/** The commands of those who say how much of the work somebody gets. */
export const WEIGHT_ROWS: readonly Row[] = [
  {
    path: 'weights get',
    says: 'The weights and version shares that are set by hand',
    heading: 'Balance:',
    run: lazily(async () => (await policies()).getPolicy('weights')),
  },
  {
    path: 'weights show',
    operands: '<capability>',
    says: 'How its work is shared out now, and the factors of each weight',
    run: lazily(async () => (await weights()).showBalance),
  },
  {
    path: 'weights set',
    operands: '[document]',
    says: 'Set weights, version shares or a strategy; it holds from the next decision on',
    flags: [
      { flags: '--capability <name>', says: 'for this capability; else for all an agent does' },
      {
        flags: '--agent <id=weight>',
        says: 'its weight, 1 where nothing is said; 0: none, ever',
        repeats: true,
      },
      {
        flags: '--share <version=percent>',
        says: 'what a version gets of the capability; they add up to 100',
        repeats: true,
      },
      { flags: '--stateful <version>', says: 'has all work with a source while shares are set' },
      {
        flags: '--strategy <word>',
        says: 'least-pending, weighted-round-robin or consistent-hash',
      },
      { flags: '--expect <version>', says: 'refuse unless this version is the present one' },
      { flags: '--dry-run', says: 'check it and store nothing' },
    ],
    examples: [
      'reach weights set --agent sql-big=3 --agent sql-small=1',
      'reach weights set --capability query --share 1.4=90 --share 2.0=10',
      'reach weights set @weights.json --dry-run',
    ],
    run: lazily(async () => (await weights()).setWeights),
  },
  {
    path: 'weights rollback',
    operands: '[version]',
    says: 'Put the document before this one back, or the version that is named',
    run: lazily(async () => (await policies()).rollbackPolicy('weights')),
  },
  {
    path: 'weights history',
    says: 'The versions of the document, newest first',
    flags: [{ flags: '--limit <n>', says: 'at most so many, 20 by default' }],
    run: lazily(async () => (await policies()).listPolicy('weights')),
  },
];
