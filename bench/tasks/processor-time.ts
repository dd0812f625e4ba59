import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second wherever Node runs (`getconf CLK_TCK`). */
const TICK_US = 10_000;

/**
 * Processor time that another process has used so far, µs: user and system, all threads. 0 where it
 * is gone or the system does not say (only Linux does).
 *
 * Source: proc_pid_stat(5), fields 14 and 15; the name before them may hold spaces.
 */
export function processUs(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_US;
  } catch {
    return 0;
  }
}
