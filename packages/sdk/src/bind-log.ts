import type { Log } from '@agent-reach/core/kernel';

/** A log whose every line carries `fields`. */
export function bindLog(log: Log, fields: object): Log {
  return {
    debug: (more, message) => log.debug({ ...fields, ...more }, message),
    info: (more, message) => log.info({ ...fields, ...more }, message),
    warn: (more, message) => log.warn({ ...fields, ...more }, message),
    error: (more, message) => log.error({ ...fields, ...more }, message),
  };
}
