import { createSecureContext } from 'node:tls';
import { ReachError } from '@agent-reach/core';
import { type Clock, type Log, loop, type Service, Signal } from '@agent-reach/core/kernel';
import type { TlsPair, TlsSource } from '../ingress/http/tls.ts';

/** The files of `tls.cert` and `tls.key`. */
export interface TlsFiles {
  cert: string;
  key: string;
}

/** What reading them needs. */
export interface TlsPorts {
  readText: (path: string) => Promise<string>;
  clock: Clock;
  log: Log;
}

/**
 * How often the files are looked at. By their content and not by the system's word: what renews
 * certificates swaps links and folders, of which watchers hear this and that.
 */
const LOOK_MS = 10_000;

/**
 * The pair in these files, and whoever keeps it: a new one is shown to new connections. What cannot be
 * used (half of a new pair, most of the time) changes nothing and is looked at again. Throws
 * `validation-failed` when there is none to begin with.
 */
export async function openTls(
  files: TlsFiles,
  { readText, clock, log }: TlsPorts,
): Promise<{ source: TlsSource; keeping: Service }> {
  const read = async (): Promise<TlsPair> => {
    const [cert, key] = await Promise.all([readText(files.cert), readText(files.key)]);
    return { cert, key };
  };
  const failed = (error: unknown) =>
    log.error(
      { err: error, ...files },
      'the new certificate cannot be used; the old one is shown on',
    );
  let current = await read().then(demandPair, (error: unknown) => {
    throw unusable(files, error);
  });
  const changed = new Signal<TlsPair>(failed);
  let tried = current;
  const keeping = loop({
    clock,
    pauseMs: () => LOOK_MS,
    onError: failed,
    async round() {
      const found = await read();
      if (isSame(found, tried)) return;
      tried = found; // What is wrong with it is told once.
      current = demandPair(found);
      changed.emit(current);
      log.info({ ...files }, 'a new certificate is shown');
    },
  });
  return { source: { current: () => current, changed }, keeping };

  function demandPair(pair: TlsPair): TlsPair {
    try {
      createSecureContext(pair);
    } catch (error) {
      throw unusable(files, error);
    }
    return pair;
  }
}

function isSame(one: TlsPair, other: TlsPair): boolean {
  return one.cert === other.cert && one.key === other.key;
}

function unusable({ cert, key }: TlsFiles, error: unknown): unknown {
  if (ReachError.is(error)) return error;
  const why = (error as Error).message.slice(0, 200);
  const detail = `tls.cert (${cert}) and tls.key (${key}) must hold a certificate and its key in PEM: ${why}.`;
  return new ReachError('validation-failed', detail, {}, error);
}
