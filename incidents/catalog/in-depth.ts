/**
 * Incidents that differ from another one by their cause alone, and the other one. A run without TEST_DEPTH=all
 * leaves them out: a stack spends six seconds of processor time on each.
 */
export const LIKE_ANOTHER: ReadonlyMap<string, string> = new Map([
  ["burst-drains-too-late", "burst-drains"],
  ["type-answers-404", "type-answers-500"],
  ["type-too-large", "type-rejected"],
  ["sink-hangs", "sink-down"],
  ["sink-answers-500", "sink-down"],
  ["sink-refuses-credentials", "sink-down"],
  ["frozen-relay", "relay-killed"],
  ["relay-cut-off", "relay-killed"],
  ["database-down", "database-silent"],
  ["relay-clock-behind", "console-clock-ahead"],
  ["console-clock-behind", "console-clock-ahead"],
  ["connections-refused", "table-forbidden"],
  ["disk-full", "grants-revoked"],
  ["database-full", "mysql-read-only"],
  ["database-read-only", "mysql-read-only"],
  ["records-forbidden", "table-forbidden"],
  ["slot-holds-log", "slot-dropped"],
  ["mysql-relay-killed", "relay-killed"],
  ["mysql-database-silent", "database-silent"],
  ["mysql-mapping-changed", "mapping-changed"],
  ["mysql-grants-revoked", "grants-revoked"],
  ["mysql-all-locked", "mysql-read-only"],
  ["mysql-table-locked", "rows-locked"],
  ["mysql-prepared", "rows-locked"],
  ["trigger-locked", "rows-locked"],
  ["sink-throttles", "sink-down"],
  ["everything-rejected", "type-rejected"],
  ["paused", "type-paused"],
  ["relay-stops-cleanly", "relay-killed"],
  ["paused-and-dead", "relay-killed"],
  ["relay-clock-ahead", "console-clock-ahead"],
  ["written-in-the-future", "scheduled-far"],
  ["password-rotated", "table-forbidden"],
  ["one-mark-refused", "grants-revoked"],
  ["table-renamed", "mapping-changed"],
  ["foreign-slot", "slot-dropped"],
  ["mysql-rows-locked", "rows-locked"],
  ["table-locked", "rows-locked"],
  ["sink-flaps", "sink-down"],
  ["rows-marked-by-hand", "foreign-relay"],
  ["mysql-log-purged", "slot-dropped"],
]);

/**
 * Incidents that a run without TEST_DEPTH=all leaves out although they are not like another one: tests of the facts and
 * of the diagnosis produce their causes, too.
 */
export const TESTED_BELOW: ReadonlySet<string> = new Set([
  "foreign-relay",
  "sink-slow",
  "tenant-down",
  "foreign-failures",
  "stuck-in-flight",
  "type-answers-500",
  "monitor-dead",
  "type-paused",
  "old-claims",
  "no-ages",
  "order-column-empty",
  "scheduled-far",
  "old-after-restart",
  "console-clock-ahead",
  "six-of-sixteen",
  "old-transaction",
  "table-forbidden",
  "rows-hidden",
  "slot-dropped",
  "mysql-table-swapped",
]);

export function isInDepth(name: string): boolean {
  return LIKE_ANOTHER.has(name) || TESTED_BELOW.has(name);
}
