/**
 * Incidents that differ from another one by their cause alone, and the other one. `npm test` leaves them to runs with
 * TEST_DEPTH=all: a stack spends six seconds of processor time on each.
 */
export const LIKE_ANOTHER: ReadonlyMap<string, string> = new Map([
  ["burst-drains-too-late", "burst-drains"],
  ["type-answers-404", "type-answers-500"],
  ["type-too-large", "type-rejected"],
  ["sink-answers-500", "sink-hangs"],
  ["sink-refuses-credentials", "sink-down"],
  ["relay-cut-off", "frozen-relay"],
  ["database-down", "database-silent"],
  ["relay-clock-behind", "relay-clock-ahead"],
  ["console-clock-behind", "console-clock-ahead"],
  ["connections-refused", "password-rotated"],
  ["disk-full", "grants-revoked"],
  ["database-read-only", "database-full"],
  ["records-forbidden", "table-forbidden"],
  ["slot-holds-log", "foreign-slot"],
  ["mysql-relay-killed", "relay-killed"],
  ["mysql-database-silent", "database-silent"],
  ["mysql-mapping-changed", "mapping-changed"],
  ["mysql-grants-revoked", "grants-revoked"],
  ["mysql-all-locked", "mysql-read-only"],
]);
