import type { Language } from './language.ts';

/** What the customer service answers to a question. */
export interface Reply {
  answer: string;
  language: Language;
  /** False for a question that means nothing here, or that is asked back. */
  understood: boolean;
  /** The capabilities that were asked, in order. */
  consulted: string[];
  /** Why it was not handed on, where it was not. */
  reason?: string;
  /** What the question may mean, where it is asked back. */
  asked?: { route_id: string; options: string[] };
  /** What kept the answer from being whole. */
  trouble?: Trouble;
}

/** What a desk answers of which nothing is known but its description. */
export interface DeskAnswer {
  desk: string;
  asked: string;
  params: object;
}

/** A call of the customer service that failed. */
export interface Trouble {
  code: string;
  status: number;
  capability: string;
  agent?: string;
  last_seen?: string;
}
