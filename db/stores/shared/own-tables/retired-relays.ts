/**
 * Id of one record per outbox that is no instance: it sums the counters of all deleted instances, so totals never
 * fall.
 */
export const RETIRED = "(retired)";
