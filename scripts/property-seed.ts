/**
 * Loaded before every test file: `REACH_SEED` repeats property tests too. Without it each run looks
 * at other cases, and one that fails prints the seed that it had.
 */
import fc from 'fast-check';

const given = process.env['REACH_SEED'];
if (given !== undefined) fc.configureGlobal({ seed: Number(given) });
