import type { Rule } from "./rule.ts";
import { blockedAggregate } from "./rules/blocked-aggregate.ts";
import { clockSkew } from "./rules/clock-skew.ts";
import { expiredClaim } from "./rules/expired-claim.ts";
import { foreignRelay } from "./rules/foreign-relay.ts";
import { locked } from "./rules/locked.ts";
import { noProgress } from "./rules/no-progress.ts";
import { noRelayAlive } from "./rules/no-relay-alive.ts";
import { oldTransaction } from "./rules/old-transaction.ts";
import { overdue } from "./rules/overdue.ts";
import { scheduledFar } from "./rules/scheduled-far.ts";
import { sinkUnavailable } from "./rules/sink-unavailable.ts";
import { slotLag } from "./rules/slot-lag.ts";
import { unknownStatus } from "./rules/unknown-status.ts";
import { unroutableType } from "./rules/unroutable-type.ts";

/** Every rule, in the order in which an incident asks. */
export const RULES: readonly Rule[] = [
  noRelayAlive,
  sinkUnavailable,
  foreignRelay,
  locked,
  noProgress,
  overdue,
  blockedAggregate,
  expiredClaim,
  oldTransaction,
  slotLag,
  clockSkew,
  scheduledFar,
  unknownStatus,
  unroutableType,
];
