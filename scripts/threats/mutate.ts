/**
 * Preloaded: one source file is read with one text put for another, so that a defence is switched
 * off without a byte on the disk being touched. `REACH_MUTANT` says which.
 */
import { registerHooks } from 'node:module';

/** What is put where. `find` must stand in the file exactly once. */
export interface Mutation {
  /** The file's URL. */
  url: string;
  find: string;
  put: string;
}

const { url, find, put } = JSON.parse(process.env['REACH_MUTANT'] ?? '{}') as Mutation;

registerHooks({
  load(wanted, context, nextLoad) {
    const loaded = nextLoad(wanted, context);
    if (wanted !== url) return loaded;
    const { source = '' } = loaded;
    const text =
      typeof source === 'string' ? source : new TextDecoder().decode(source ?? undefined);
    const parts = text.split(find);
    if (parts.length !== 2) throw new Error(`"${find}" stands ${parts.length - 1} times in ${url}`);
    return { ...loaded, source: parts.join(put) };
  },
});
