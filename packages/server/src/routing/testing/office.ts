import type { Utterance } from '@agent-reach/core';
import type { Random } from '@agent-reach/core/kernel';

/** A thing, what it is also called, and what is done with it. */
const THINGS = [
  ['booking', 'meeting room', ['room', 'meeting space'], ['reserve', 'book', 'free']],
  ['payroll', 'salary slip', ['payslip', 'salary'], ['show', 'download', 'explain']],
  ['leave', 'vacation balance', ['vacation days', 'holiday balance'], ['show', 'check', 'count']],
  ['travel', 'train ticket', ['train', 'rail ticket'], ['find', 'compare', 'price']],
  ['expense', 'expense report', ['expenses', 'travel costs'], ['review', 'check', 'list']],
  ['printer', 'printer queue', ['printer', 'print jobs'], ['check', 'inspect', 'list']],
  ['library', 'library catalogue', ['books', 'library'], ['search', 'find', 'look through']],
  ['canteen', 'lunch menu', ['lunch', 'canteen menu'], ['show', 'read', 'tell me']],
  ['parking', 'parking permit', ['parking space', 'permit'], ['check', 'look up', 'find']],
  ['laptop', 'laptop inventory', ['laptops', 'devices'], ['list', 'count', 'find']],
  ['contract', 'supplier contract', ['contracts', 'supplier terms'], ['find', 'read', 'compare']],
  [
    'survey',
    'customer survey',
    ['survey answers', 'customer feedback'],
    ['summarise', 'read', 'show'],
  ],
] as const;

const FRAMES = [
  'VERB the NOUN',
  'can you VERB the NOUN for me',
  'please VERB my NOUN today',
  'i want somebody to VERB the NOUN of our team',
  'NOUN',
  'what about the NOUN',
  'is there anything with the NOUN this week',
  'VERB NOUN before friday if you can',
  'my boss asked for the NOUN',
  'hello, i would need to VERB a NOUN, thanks',
] as const;

/** What nobody in this office does. */
const BESIDE = [
  'sing me a song',
  'translate this poem into latin',
  'who won the match last night',
  'water the plants on the roof',
  'tell a joke about cats',
  'what is the meaning of life',
  'walk my dog',
  'play chess with me',
] as const;
const WHEN = ['now', 'today', 'tomorrow', 'tonight', 'on monday', 'next week', 'at noon'] as const;

/** A dozen capabilities that read, told apart by their things. */
export const OFFICE = THINGS.map(([name, title, , verbs]) => ({
  name: `${name}.look`,
  display_name: title,
  description: `Looks up the ${title}: ${verbs.join(', ')} it.`,
  effect: 'read' as const,
}));

/** What people say in that office, each once; one in eight is for nobody there. */
export function officeTalk(count: number, random: Random): Utterance[] {
  const said = new Map<string, Utterance>();
  while (said.size < count) {
    const one = random.below(8) === 0 ? aside(random) : asking(random);
    said.set(one.text, one);
  }
  return [...said.values()];
}

function aside(random: Random): Utterance {
  const text = `${oneOf(BESIDE, random)} ${oneOf(WHEN, random)}, ${oneOf(FRAMES, random).length} times`;
  return { text, expected: null };
}

function asking(random: Random): Utterance {
  const [name, title, others, verbs] = oneOf(THINGS, random);
  const noun = oneOf([title, ...others], random);
  const text = oneOf(FRAMES, random).replace('VERB', oneOf(verbs, random)).replace('NOUN', noun);
  return { text: `${text} ${oneOf(WHEN, random)}`, expected: `${name}.look` };
}

function oneOf<T>(all: readonly T[], random: Random): T {
  return all[random.below(all.length)] as T;
}
