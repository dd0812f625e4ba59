import type { TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';

/**
 * Who may ask. `public` needs no credential, `caller` any. `agent`: the agent itself, or an operator.
 * The others are roles, each with all that those before it may. Without authentication
 * (`auth.mode` loopback or open) everybody may ask for everything.
 */
export type Auth = 'public' | 'caller' | 'agent' | 'viewer' | 'operator' | 'admin';

/**
 * One operation: the single source of its HTTP route, its validation, its handler's type, its
 * SDK method, its command and its page.
 */
export interface Operation {
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{name}` takes that input field from the path. */
  path: `/${string}`;
  auth: Auth;
  /**
   * Who writes the audit line of each use: the door, when the handler is done; the road, which
   * knows what was executed; nobody, for reads of the control plane.
   */
  audited: 'door' | 'road' | false;
  /** What repeating the operation itself does. */
  effect: 'read' | 'idempotent_write' | 'write';
  /**
   * Fields of path, query and body together. Without a body (GET, DELETE) the rest comes from
   * the query, where integers and booleans are read by their schema.
   */
  input: TSchema;
  /** The whole body is this one input field: for documents whose shape the operation judges itself. */
  wholeBody?: string;
  /**
   * A field that may hold what cannot be read without loss: a holder's word must not be lost for
   * it. The handler gets the field as text, escaped and cut, and the fault as `asker.unsafe`.
   */
  unsafeField?: { name: string; charsMax: number };
  output: TSchema;
  /** The answer is `output` itself, without the `{code, data}` envelope. */
  bare?: boolean;
  /**
   * The answer goes on. `events`: Server-Sent Events, each with one `output`; `text`: a body of which
   * no part is kept, whose type the handler says. Neither has an envelope.
   */
  stream?: 'events' | 'text';
  /** Beside those that every operation may answer (`COMMON_ERRORS`). */
  errors: readonly ErrorCode[];
  /** A valid input. Tests mutate it in one place; pages print it. */
  example: Record<string, unknown>;
}

/** What any operation may answer. */
export const COMMON_ERRORS = [
  'validation-failed',
  'unsafe-json',
  'unauthenticated',
  'signature-invalid',
  'replayed',
  'key-revoked',
  'permission-denied',
  'identity-unmapped',
  'tenant-mismatch',
  'not-found',
  'payload-too-large',
  'unsupported-media-type',
  'internal',
  'store-unavailable',
  'storage-full',
] as const satisfies readonly ErrorCode[];

/** Keeps the literal types of a table while checking its shape. */
export function operations<const T extends Record<string, Operation>>(table: T): T {
  return table;
}
