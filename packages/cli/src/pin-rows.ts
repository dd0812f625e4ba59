import { type Flag, lazily, type Row } from './row.ts';

const pins = () => import('./commands/pins.ts');
const policies = () => import('./commands/policies.ts');

const DRY: Flag = { flags: '--dry-run', says: 'check it and store nothing' };

/** The commands of those who nail down where work goes. */
export const PIN_ROWS: readonly Row[] = [
  {
    path: 'pins get',
    says: 'Capabilities that only their names reach, and phrases that go to one place',
    heading: 'Pins:',
    run: lazily(async () => (await policies()).getPolicy('pins')),
  },
  {
    path: 'pins capability',
    operands: '<capability> [agents...]',
    says: 'Reach it by name or phrase alone, never by meaning; only these agents may serve it',
    flags: [
      {
        flags: '--strategy <word>',
        says: 'or as this says: exact (names and aliases), tags, semantic or auto',
      },
      DRY,
    ],
    examples: [
      'reach pins capability refund_order orders',
      'reach pins capability query_order --strategy tags',
    ],
    run: lazily(async () => (await pins()).pinCapability),
  },
  {
    path: 'pins phrase',
    operands: '<phrase> <capability>',
    says: 'Send an intent that says precisely this to a capability, whatever it would mean',
    flags: [{ flags: '--agent <id>', says: 'to this agent alone' }, DRY],
    examples: ['reach pins phrase 我要退款 refund_order --agent orders'],
    run: lazily(async () => (await pins()).pinPhrase),
  },
  {
    path: 'pins remove',
    operands: '<capability-or-phrase>',
    says: 'Take a pin away',
    flags: [DRY],
    run: lazily(async () => (await pins()).removePin),
  },
  {
    path: 'pins set',
    operands: '<document>',
    says: 'Write the whole document anew',
    flags: [
      { flags: '--expect <version>', says: 'refuse unless this version is the present one' },
      DRY,
    ],
    examples: ['reach pins set @pins.json --dry-run'],
    run: lazily(async () => (await pins()).setPins),
  },
  {
    path: 'pins rollback',
    operands: '[version]',
    says: 'Put the document before this one back, or the version that is named',
    run: lazily(async () => (await policies()).rollbackPolicy('pins')),
  },
  {
    path: 'pins history',
    says: 'The versions of the document, newest first',
    flags: [{ flags: '--limit <n>', says: 'at most so many, 20 by default' }],
    run: lazily(async () => (await policies()).listPolicy('pins')),
  },
];
