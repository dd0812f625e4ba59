import Type, { type Static } from 'typebox';

const WORDS = ['auto', 'exact', 'tags', 'semantic'] as const;

/** What is to decide where work goes. */
export const MatchStrategy = Type.Enum([...WORDS], {
  description:
    '`auto`: a name that exists, then tags that leave one, then the intent. `exact`: the name alone. `tags`: they alone. `semantic`: the intent, among what has the tags.',
});
export type MatchStrategy = Static<typeof MatchStrategy>;

/** By what a capability lets itself be found. */
export const FindStrategy = Type.Enum([...WORDS], {
  description:
    'By what it is found beside its name, its display name, its aliases and pinned phrases. `auto`: tags and meaning. `exact`: nothing. `tags`: tags, and not by meaning. `semantic`: meaning, and not by tags alone.',
});
export type FindStrategy = Static<typeof FindStrategy>;
