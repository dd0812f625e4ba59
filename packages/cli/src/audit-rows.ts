import { type Flag, lazily, type Row } from './row.ts';

const audit = () => import('./commands/audit.ts');

/** Commands of the audit, with the flags by which it is searched. */
export function auditRows(window: readonly Flag[]): Row[] {
  const search = {
    flags: [
      { flags: '--principal <id>', says: 'by him' },
      { flags: '--target <id>', says: 'to this agent' },
      ...window,
    ],
    run: lazily(async () => (await import('./commands/trace.ts')).searchAudit),
  };
  return [
    {
      path: 'audit search',
      says: 'Who did what to whom, newest first',
      examples: ['reach audit search --principal customer-service --since 1h'],
      ...search,
    },
    { path: 'audit list', says: 'The same', ...search },
    {
      path: 'audit verify',
      says: 'Whether the audit stands as it was written; fails if not',
      flags: [
        { flags: '--from <seq>', says: 'the first record that is looked at' },
        { flags: '--to <seq>', says: 'the last one' },
        { flags: '--seals <file>', says: 'hold it to these seals too: what audit.seal-file has' },
        { flags: '--file <file>', says: 'look at an export, without a gateway' },
      ],
      examples: ['reach audit verify', 'reach audit verify --file audit.jsonl --seals seals.jsonl'],
      run: lazily(async () => (await audit()).verifyAudit),
    },
    {
      path: 'audit export',
      says: 'Records with their hashes, and the seals, as lines of JSON',
      flags: [{ flags: '--after <seq>', says: 'those after this record' }],
      examples: ['reach audit export > audit.jsonl'],
      run: lazily(async () => (await audit()).exportAudit),
    },
  ];
}
