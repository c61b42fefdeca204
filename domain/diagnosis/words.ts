/** State of an outbox in one word, worst first. A cause can have any word except `delivering`. */
export const VERDICT_WORDS = [
  "not_delivering",
  "in_part",
  "late",
  "unknown",
  "at_risk",
  "paused",
  "delivering",
] as const;
export type VerdictWord = (typeof VERDICT_WORDS)[number];
export type CauseWord = Exclude<VerdictWord, "delivering">;

/** Titles of the words: how the banner, Stuck and the health output begin. */
export const VERDICT_TITLES: Record<VerdictWord, string> = {
  not_delivering: "Not delivering",
  in_part: "Delivering in part",
  late: "Delivering late",
  unknown: "Not known",
  at_risk: "At risk",
  paused: "Paused",
  delivering: "Delivering",
};

/** What can be wrong with an outbox. Each is a rule on the Stuck page and the `rule` of its findings. */
export const CAUSE_CODES = [
  "mapping",
  "no_relay_alive",
  "relay_crashes",
  "read_only",
  "connector",
  "sink_unavailable",
  "route_failing",
  "foreign_relay",
  "second_publisher",
  "relays_differ",
  "locked",
  "no_progress",
  "orderless",
  "left_behind",
  "overdue",
  "blocked_aggregate",
  "expired_claim",
  "dead_letters",
  "unroutable_type",
  "failing",
  "connector_slot",
  "slot_lag",
  "relay_scans",
  "old_transaction",
  "partitions",
  "numbers_run_out",
  "clock_skew",
  "scheduled_far",
  "unknown_status",
  "not_processed",
  "unmatched_rows",
  "not_known",
  "monitor_down",
  "paused",
] as const;
export type CauseCode = (typeof CAUSE_CODES)[number];
