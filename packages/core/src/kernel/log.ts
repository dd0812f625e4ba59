import { pino } from 'pino';
import { scrubText } from './scrub.ts';

/** Structured log lines: one JSON object a line, so that no value can forge a second line. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Least important level that is written. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** A log on standard error: standard output belongs to the answers of commands. */
export function openLog(level: LogLevel): Log {
  const stderr = pino.destination({ dest: 2, sync: true });
  return logTo((line) => stderr.write(line), level);
}

/** A log that hands each line on, without the secrets that are known by their look. */
export function logTo(write: (line: string) => void, level: LogLevel): Log {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    { write: (line: string) => write(scrubText(line)) },
  );
}

const nothing = () => {};

/** Says nothing. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
