import type { FindStrategy, PinsPolicy } from '@agent-reach/core';
import { UsageError } from '../failure.ts';
import type { Session } from '../session.ts';
import { given, type Use } from '../use.ts';
import { putPolicy, setPolicy } from './policies.ts';

/** `reach pins set`: a whole document. */
export const setPins = setPolicy('pins');

/** `reach pins capability`: it is reached by its name alone, or as said, at these agents if any are named. */
export async function pinCapability(use: Use, session: Session): Promise<void> {
  const agents = use.rest(1);
  const strategy = use.text('strategy') as FindStrategy | undefined;
  const row = { ...(agents.length === 0 ? {} : { agents: [...agents] }), ...given({ strategy }) };
  await change(use, session, (doc) => ({
    ...doc,
    capabilities: { ...doc.capabilities, [use.required(0)]: row },
  }));
}

/** `reach pins phrase`: an intent that says precisely this goes there. */
export async function pinPhrase(use: Use, session: Session): Promise<void> {
  const row = { capability: use.required(1), ...given({ agent: use.text('agent') }) };
  await change(use, session, (doc) => ({
    ...doc,
    phrases: { ...doc.phrases, [use.required(0)]: row },
  }));
}

/** `reach pins remove`: the pin of a capability or of a phrase, whichever is called so. */
export async function removePin(use: Use, session: Session): Promise<void> {
  const name = use.required(0);
  await change(use, session, (doc) => {
    const { [name]: capability, ...capabilities } = doc.capabilities ?? {};
    const { [name]: phrase, ...phrases } = doc.phrases ?? {};
    if (capability === undefined && phrase === undefined) {
      throw new UsageError(`pins remove: nothing is pinned as ${name}; see reach pins get.`);
    }
    return { ...doc, capabilities, phrases };
  });
}

/** What is changed was read first: nobody's word in between is lost. */
async function change(
  use: Use,
  session: Session,
  by: (doc: PinsPolicy) => PinsPolicy,
): Promise<void> {
  const present = await session.ask('policies.get', { policy: 'pins' });
  await putPolicy(
    { policy: 'pins', doc: by(present.doc as PinsPolicy), expected: present.version },
    use,
    session,
  );
}
