import type { Note } from './notes.ts';

/** The payload of a task of the fault laboratory: what whoever does it shall do and suffer. */
export interface Work {
  /** How long it takes. */
  ms: number;
  /** Its source and its place there, where order is kept. */
  key?: string;
  seq?: number;
  /** The process that does it dies in the middle. */
  dies?: boolean;
  /** It never ends by itself, and its agent goes on saying that it lives. */
  hangs?: boolean;
  /** Its result has so many bytes. */
  bytes?: number;
}

/** What an agent notes of its runs. */
export interface RunNote extends Note {
  word: 'start' | 'finish' | 'abort';
  attempt: number;
  /** Names this run, and comes back in its result. */
  run: string;
  key?: string;
  seq?: number;
}

/** What a submitter notes of its requests. */
export interface SubmitNote extends Note {
  word: 'answered' | 'unanswered';
  /** The HTTP status; 0: no answer came. */
  status: number;
  /** Of a refusal, or of what broke the connection. */
  code?: string;
  /** Whether a refusal said when to come again. */
  retryAfter?: boolean;
  replayed?: boolean;
  /** How long the answer, or that there was none, took. */
  tookMs: number;
}

/** The task types of the laboratory's agents. */
export const TYPES = {
  /** Reads; receipt and result are two messages. */
  work: 'lab-work',
  /** Reads; one message for both. */
  quick: 'lab-quick',
  /** Writes: it must not run twice, whatever happens. */
  pay: 'lab-pay',
  /** Reads; its agent has an address, and is sent what it gets. */
  pushed: 'lab-pushed',
} as const;
