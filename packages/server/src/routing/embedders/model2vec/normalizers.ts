import { ReachError } from '@agent-reach/core';

/** A step of a tokenizer, as its file describes it. */
export interface Step {
  type?: unknown;
  [name: string]: unknown;
}

type Change = (text: string) => string;

const HAN =
  /[\u{4e00}-\u{9fff}\u{3400}-\u{4dbf}\u{f900}-\u{faff}\u{20000}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;
const MARKS = /\p{Mn}/gu;

/** How a tokenizer's file changes a text before it is cut. A step that is not known is refused. */
export function normalizerOf(step: Step | null | undefined): Change {
  if (step === null || step === undefined) return (text) => text;
  switch (step.type) {
    case 'Sequence': {
      const changes = stepsIn(step['normalizers']).map(normalizerOf);
      return (text) => changes.reduce((changed, change) => change(changed), text);
    }
    case 'BertNormalizer':
      return bert(step);
    case 'Lowercase':
      return (text) => text.toLowerCase();
    case 'StripAccents':
      return (text) => text.replace(MARKS, '');
    case 'NFC':
    case 'NFD':
    case 'NFKC':
    case 'NFKD': {
      const form = step.type;
      return (text) => text.normalize(form);
    }
    // A table of its own, which for the models that have one comes to this.
    case 'Precompiled':
    case 'Nmt':
      return (text) => text.normalize('NFKC').replace(/[\p{Cc}\s]+/gu, ' ');
    case 'Replace':
      return replacing(step);
    case 'Strip':
      return (text) => {
        const begun = step['strip_left'] === true ? text.trimStart() : text;
        return step['strip_right'] === true ? begun.trimEnd() : begun;
      };
    case 'Prepend':
      return (text) => (text === '' ? text : `${textIn(step, 'prepend')}${text}`);
    default:
      throw unknownStep('normalizer', step.type);
  }
}

function bert(step: Step): Change {
  const isLower = step['lowercase'] !== false;
  const isBare = step['strip_accents'] === true || (step['strip_accents'] === null && isLower);
  return (text) => {
    let changed = text;
    if (step['clean_text'] !== false) {
      changed = changed.replace(/[\t\n\r\p{Zs}]/gu, ' ').replace(/[\p{C}\ufffd]/gu, '');
    }
    if (step['handle_chinese_chars'] !== false) changed = changed.replace(HAN, ' $& ');
    if (isBare) changed = changed.normalize('NFD').replace(MARKS, '');
    return isLower ? changed.toLowerCase() : changed;
  };
}

function replacing(step: Step): Change {
  const pattern = step['pattern'] as Record<string, unknown> | undefined;
  const content = textIn(step, 'content');
  const { String: literal, Regex: source } = pattern ?? {};
  if (typeof literal === 'string') return (text) => text.replaceAll(literal, () => content);
  if (typeof source !== 'string') throw unknownStep('pattern', pattern);
  try {
    const regex = new RegExp(source, 'gu');
    return (text) => text.replace(regex, () => content);
  } catch {
    throw unknownStep('pattern', source);
  }
}

/** The steps of a sequence. */
export function stepsIn(value: unknown): Step[] {
  if (!Array.isArray(value)) throw unknownStep('sequence', value);
  return value as Step[];
}

export function textIn(step: Step, name: string): string {
  const value = step[name];
  if (typeof value !== 'string') throw unknownStep(name, value);
  return value;
}

export function unknownStep(what: string, value: unknown): ReachError {
  const said = (JSON.stringify(value) ?? 'nothing').slice(0, 100);
  return new ReachError(
    'validation-failed',
    `The model's tokenizer has a ${what} that is not read here: ${said}.`,
  );
}
