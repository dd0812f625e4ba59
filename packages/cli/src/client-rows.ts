import { type Flag, lazily, type Row } from './row.ts';

const clients = () => import('./commands/clients.ts');
const capabilities = () => import('./commands/capabilities.ts');
const grants = () => import('./commands/grants.ts');
const policies = () => import('./commands/policies.ts');

const TOKEN: Flag = { flags: '--token', says: 'a bearer token instead of a signing key' };
const DRY: Flag = { flags: '--dry-run', says: 'check it and store nothing' };

/** The commands of those who say who may come in. */
export const CLIENT_ROWS: readonly Row[] = [
  {
    path: 'clients list',
    says: 'Who may come in, and the states of their keys',
    heading: 'Access:',
    run: lazily(async () => (await clients()).listClients),
  },
  {
    path: 'clients get',
    operands: '<client>',
    says: 'One client and its keys',
    run: lazily(async () => (await clients()).getClient),
  },
  {
    path: 'clients create',
    operands: '[client]',
    says: 'Let an agent, a service or a person in; the secret is shown once',
    flags: [
      { flags: '--agent <id>', says: 'it speaks for this agent and for no other' },
      { flags: '--person', says: 'a person, who has a token' },
      { flags: '--role <word>', says: 'viewer, operator or admin; for services and people' },
      { flags: '--note <text>', says: 'what it is for' },
      TOKEN,
      { flags: '--for-tenant <id>', says: 'in this tenant; for those who run the gateway' },
    ],
    examples: [
      'reach clients create --agent orders',
      'reach clients create shop',
      'reach clients create alice --person --role operator',
    ],
    run: lazily(async () => (await clients()).createClient),
  },
  {
    path: 'clients rotate',
    operands: '<client>',
    says: 'Make a second key; the first one holds for a day after the second is used',
    flags: [TOKEN],
    run: lazily(async () => (await clients()).rotateKey),
  },
  {
    path: 'clients revoke',
    operands: '<client> <kid>',
    says: 'Refuse a key from now on',
    run: lazily(async () => (await clients()).revokeKey),
  },
  {
    path: 'clients remove',
    operands: '<client>',
    says: 'Take a client away with all its keys',
    run: lazily(async () => (await clients()).removeClient),
  },
];

/** The commands of those who say who may have what. */
export const GRANT_ROWS: readonly Row[] = [
  {
    path: 'grants get',
    says: 'Who may have which capability',
    run: lazily(async () => (await policies()).getPolicy('grants')),
  },
  {
    path: 'grants allow',
    operands: '<client> [capabilities...]',
    says: 'Let a client have capabilities; `*` behind a beginning means all that begin so',
    flags: [DRY],
    examples: ['reach grants allow shop query_order_status', "reach grants allow 'shop-*' 'crm.*'"],
    run: lazily(async () => (await grants()).allow),
  },
  {
    path: 'grants deny',
    operands: '<client> [capabilities...]',
    says: 'Refuse capabilities to a client, whatever else allows them',
    flags: [DRY],
    run: lazily(async () => (await grants()).deny),
  },
  {
    path: 'grants set',
    operands: '<document>',
    says: 'Write the whole document anew',
    flags: [
      { flags: '--expect <version>', says: 'refuse unless this version is the present one' },
      DRY,
    ],
    examples: ['reach grants set @grants.json --dry-run'],
    run: lazily(async () => (await grants()).setGrants),
  },
  {
    path: 'grants rollback',
    operands: '[version]',
    says: 'Put the document before this one back, or the version that is named',
    run: lazily(async () => (await policies()).rollbackPolicy('grants')),
  },
  {
    path: 'grants history',
    says: 'The versions of the document, newest first',
    flags: [{ flags: '--limit <n>', says: 'at most so many, 20 by default' }],
    run: lazily(async () => (await policies()).listPolicy('grants')),
  },
];

/** The commands of those who say who may offer a name that another agent had first. */
export const CAPABILITY_ROWS: readonly Row[] = [
  {
    path: 'capabilities pending',
    says: 'Offers that wait for an approval, and those that were refused',
    run: lazily(async () => (await capabilities()).listPending),
  },
  {
    path: 'capabilities approve',
    operands: '<capability> <agent>',
    says: 'Let an agent offer a capability beside those who do',
    examples: ['reach capabilities approve query_order_status orders-eu'],
    run: lazily(async () => (await capabilities()).approve),
  },
  {
    path: 'capabilities refuse',
    operands: '<capability> <agent>',
    says: 'Let an agent offer a capability no more, or not at all',
    run: lazily(async () => (await capabilities()).refuse),
  },
];
