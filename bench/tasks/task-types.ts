/** Receipt and result are two messages, as for tasks of seconds and more. */
export const WORK = 'work';
/** One message says both. */
export const QUICK = 'quick';
