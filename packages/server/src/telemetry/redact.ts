import { isSecretName, REDACTED, scrubText } from '@agent-reach/core/kernel';

/** Where secrets are, as a schema says; see the room `schemas`. */
export interface Places {
  readonly isSecret: boolean;
  field(name: string): Places | undefined;
  item(index: number): Places | undefined;
}

/** What is kept of one value. */
const SHOWN_CHARS_MAX = 4_096;
/** What is deeper is not looked into, and not shown. */
const DEPTH_MAX = 32;
/** The door lets in no more. */
const WHOLE_DEPTH_MAX = 64;
/** What is looked at of a text: more than can be shown, so that a secret across the cut is seen whole. */
const LOOKED_AT_CHARS_MAX = 2 * SHOWN_CHARS_MAX;

/**
 * A value as the audit keeps it: JSON without its secrets, cut so that one call cannot fill the log. What
 * was cut ends with `…`. Secrets are what the schema calls so (`places`), what stands under the name of
 * one, and what looks like one. Costs no more for a large value than for what is shown of it.
 */
export function forAudit(value: unknown, places?: Places): string {
  const writing = new Writing();
  writing.value(value === undefined ? null : value, places, 0);
  return writing.text();
}

/**
 * A value whole, but for its secrets (see `forAudit`): for whoever is to say yes to it. What is deeper
 * than any request may be is not shown.
 */
export function withoutSecrets(value: unknown, places?: Places, depth = 0): unknown {
  if (places?.isSecret === true && value !== null) return REDACTED;
  if (typeof value === 'string') return scrubText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= WHOLE_DEPTH_MAX) return '…';
  if (Array.isArray(value)) {
    return value.map((item, n) => withoutSecrets(item, places?.item(n), depth + 1));
  }
  const entries = Object.entries(value).map(([name, member]) => [
    name,
    isSecretName(name, member) ? REDACTED : withoutSecrets(member, places?.field(name), depth + 1),
  ]);
  return Object.fromEntries(entries);
}

class Writing {
  #text = '';
  /** What follows is not shown, however short all this is. */
  #isCut = false;

  get #isFull(): boolean {
    return this.#isCut || this.#text.length > SHOWN_CHARS_MAX;
  }

  /** The text so far, cut. */
  text(): string {
    if (!this.#isFull) return this.#text;
    // The cut may go through a character, and half of one is neither stored nor read back.
    return `${this.#text.slice(0, SHOWN_CHARS_MAX).toWellFormed()}…`;
  }

  value(value: unknown, places: Places | undefined, depth: number): void {
    if (places?.isSecret === true && value !== null) this.#text += REDACTED_TEXT;
    else if (typeof value === 'string') this.#string(value);
    else if (typeof value !== 'object' || value === null)
      this.#text += JSON.stringify(value) ?? 'null';
    else if (depth >= DEPTH_MAX) this.#text += '"…"';
    else if (Array.isArray(value)) this.#list(value, places, depth + 1);
    else this.#object(value as Record<string, unknown>, places, depth + 1);
  }

  #list(items: readonly unknown[], places: Places | undefined, depth: number): void {
    this.#text += '[';
    for (const [n, item] of items.entries()) {
      if (this.#isFull) return;
      if (n > 0) this.#text += ',';
      this.value(item === undefined ? null : item, places?.item(n), depth);
    }
    this.#text += ']';
  }

  #object(object: Record<string, unknown>, places: Places | undefined, depth: number): void {
    this.#text += '{';
    let isFirst = true;
    for (const name in object) {
      if (this.#isFull) return;
      const value = object[name];
      if (value === undefined || !Object.hasOwn(object, name)) continue;
      if (!isFirst) this.#text += ',';
      isFirst = false;
      this.#name(name);
      if (isSecretName(name, value)) this.#text += REDACTED_TEXT;
      else this.value(value, places?.field(name), depth);
    }
    this.#text += '}';
  }

  #name(name: string): void {
    if (name.length <= NAME_CHARS_MAX) {
      this.#text += writtenName(name);
      return;
    }
    this.#string(name);
    this.#text += ':';
  }

  #string(text: string): void {
    const looked = text.length <= LOOKED_AT_CHARS_MAX ? text : head(text);
    this.#text += JSON.stringify(scrubText(looked));
    if (looked.length === text.length) return;
    // The quotation mark would be the end of the text.
    this.#text = this.#text.slice(0, -1);
    this.#isCut = true;
  }
}

/** Names come from schemas: the same few. Anybody may send a new one, and a long one. */
const NAMES_MAX = 2_000;
const NAME_CHARS_MAX = 128;
const names = new Map<string, string>();

/** A short name and its colon as they are written. */
function writtenName(name: string): string {
  let written = names.get(name);
  if (written === undefined) {
    written = `${JSON.stringify(scrubText(name))}:`;
    if (names.size >= NAMES_MAX) names.clear();
    names.set(name, written);
  }
  return written;
}

const REDACTED_TEXT = JSON.stringify(REDACTED);

/** The beginning of a text, up to a blank: a secret across the end would not be known by its half. */
function head(text: string): string {
  let end = LOOKED_AT_CHARS_MAX;
  while (end > 0 && !/[\s,;"'<>(){}[\]]/.test(text[end] ?? '')) end--;
  // One word that long: whatever it is, half of it is shown.
  return text.slice(0, end > SHOWN_CHARS_MAX ? end : LOOKED_AT_CHARS_MAX);
}
