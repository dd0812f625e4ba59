/**
 * The time of an atomic move. One process passes its kernel clock; a shared store is asked for
 * its own (`'store'`), so that gateways need not agree; tests pass numbers on every driver.
 */
export type Now = number | 'store';
