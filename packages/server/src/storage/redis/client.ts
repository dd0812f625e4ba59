import { ReachError } from '@agent-reach/core';

/** Of a client of the library, what the driver uses. */
export interface Client {
  connect(): Promise<unknown>;
  sendCommand(words: readonly string[]): Promise<unknown>;
  /** From then on this connection only listens; `heard` is told each text in turn. */
  subscribe(channel: string, heard: (text: string) => void): Promise<unknown>;
  ping(): Promise<unknown>;
  /** Ends the connection at once; what was not answered fails. */
  destroy(): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Of the library, what the driver uses. */
export interface Library {
  /** Makes a client. It connects once; a lost connection is for another one (`connection.ts`). */
  open(url: string): Client;
  /** Whether the server answered an error, as against no answer. */
  isReply(error: unknown): boolean;
  /** A word for why a connection failed, for whoever asked: ECONNREFUSED, WRONGPASS, … */
  codeOf(error: unknown): string;
}

/**
 * Loads the library, an optional peer, when a Redis store is opened and not before.
 *
 * Throws `store-unavailable` when it is not installed.
 */
export async function loadLibrary(): Promise<Library> {
  const { createClient, ErrorReply } = await import('@redis/client').catch((error: unknown) => {
    const detail =
      'The Redis store needs a package that is not installed: npm install @redis/client@6.3.1';
    throw new ReachError('store-unavailable', detail, { retryable: false }, error);
  });
  return {
    open: (url) =>
      createClient({
        url,
        RESP: 2,
        disableOfflineQueue: true,
        commandsQueueMaxLength: UNANSWERED_MAX,
        socket: { connectTimeout: CONNECT_MS, reconnectStrategy: false },
      }) as Client,
    isReply: (error) => error instanceof ErrorReply,
    codeOf: (error) => {
      if (error instanceof ErrorReply) return error.message.split(' ', 1)[0] ?? '';
      return error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    },
  };
}

const CONNECT_MS = 2_000;

/** What a silent server may leave unanswered before it is noticed; more is refused. */
const UNANSWERED_MAX = 50_000;
