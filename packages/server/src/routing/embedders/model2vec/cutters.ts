import { type Step, stepsIn, unknownStep } from './normalizers.ts';

/** How a tokenizer's file cuts a text into pieces, each of which becomes tokens by itself. */
export type Cutter = (pieces: readonly string[]) => string[];

/** A step that is not known is refused: other tokens would be other vectors, and nobody would see it. */
export function cutterOf(step: Step | null | undefined): Cutter {
  if (step === null || step === undefined) return (pieces) => [...pieces];
  switch (step.type) {
    case 'Sequence': {
      const cutters = stepsIn(step['pretokenizers']).map(cutterOf);
      return (pieces) => cutters.reduce((cut, cutter) => cutter(cut), [...pieces]);
    }
    case 'Metaspace':
      return metaspace(step);
    case 'WhitespaceSplit':
      return each((piece) => piece.split(/\s+/u));
    case 'Whitespace':
      return each((piece) => piece.match(/[\p{L}\p{M}\p{N}_]+|[^\p{L}\p{M}\p{N}_\s]+/gu) ?? []);
    case 'Punctuation':
      return each((piece) => piece.match(PUNCTUATED) ?? []);
    case 'BertPreTokenizer':
      return each((piece) => piece.split(/\s+/u).flatMap((word) => word.match(PUNCTUATED) ?? []));
    default:
      throw unknownStep('pre-tokenizer', step.type);
  }
}

/** As BERT has it: all that is neither letter, figure nor blank in ASCII is punctuation, too. */
const PUNCTUATED = /[\p{P}!-/:-@[-`{-~]|[^\p{P}!-/:-@[-`{-~]+/gu;
const BLANK = '▁';

function metaspace(step: Step): Cutter {
  const scheme =
    step['prepend_scheme'] ?? (step['add_prefix_space'] === false ? 'never' : 'always');
  const isSplit = step['split'] !== false;
  const mark = typeof step['replacement'] === 'string' ? step['replacement'] : BLANK;
  return (pieces) =>
    pieces.flatMap((piece, place) => {
      if (piece === '') return [];
      const marked = piece.replaceAll(' ', mark);
      const isBegun = scheme === 'never' || (scheme === 'first' && place > 0);
      const whole = isBegun || marked.startsWith(mark) ? marked : `${mark}${marked}`;
      if (!isSplit) return [whole];
      // Each blank goes to what comes after it.
      return whole.split(new RegExp(`(?=${mark})`, 'u'));
    });
}

function each(cut: (piece: string) => readonly string[]): Cutter {
  return (pieces) => pieces.flatMap(cut).filter((piece) => piece !== '');
}
