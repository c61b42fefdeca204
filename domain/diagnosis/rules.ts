import type { Rule } from "./cause.ts";
import { blockedAggregate } from "./causes/blocked-aggregate.ts";
import { clockSkew } from "./causes/clock-skew.ts";
import { connector } from "./causes/connector.ts";
import { connectorSlot } from "./causes/connector-slot.ts";
import { notProcessed, unmatchedRows } from "./causes/consumers.ts";
import { deadLetters, unroutableType } from "./causes/dead-letters.ts";
import { expiredClaim } from "./causes/expired-claim.ts";
import { failing } from "./causes/failing.ts";
import { foreignRelay } from "./causes/foreign-relay.ts";
import { leftBehind } from "./causes/left-behind.ts";
import { locked } from "./causes/locked.ts";
import { mapping } from "./causes/mapping.ts";
import { monitorDown } from "./causes/monitor-down.ts";
import { noProgress } from "./causes/no-progress.ts";
import { noRelayAlive } from "./causes/no-relay-alive.ts";
import { notKnown } from "./causes/not-known.ts";
import { numbersRunOut } from "./causes/numbers-run-out.ts";
import { oldTransaction } from "./causes/old-transaction.ts";
import { orderless } from "./causes/orderless.ts";
import { overdue } from "./causes/overdue.ts";
import { partitions } from "./causes/partitions.ts";
import { paused } from "./causes/paused.ts";
import { readOnly } from "./causes/read-only.ts";
import { relayCrashes } from "./causes/relay-crashes.ts";
import { relayScans } from "./causes/relay-scans.ts";
import { relaysDiffer } from "./causes/relays-differ.ts";
import { routeFailing } from "./causes/route-failing.ts";
import { scheduledFar } from "./causes/scheduled-far.ts";
import { secondPublisher } from "./causes/second-publisher.ts";
import { sinkUnavailable } from "./causes/sink-unavailable.ts";
import { slotLag } from "./causes/slot-lag.ts";
import { unknownStatus } from "./causes/unknown-status.ts";

/** Every rule, in the order in which to check them during an incident. */
export const RULES: readonly Rule[] = [
  mapping,
  readOnly,
  noRelayAlive,
  relayCrashes,
  connector,
  sinkUnavailable,
  routeFailing,
  foreignRelay,
  secondPublisher,
  relaysDiffer,
  locked,
  noProgress,
  overdue,
  blockedAggregate,
  failing,
  expiredClaim,
  deadLetters,
  unroutableType,
  connectorSlot,
  slotLag,
  relayScans,
  oldTransaction,
  partitions,
  numbersRunOut,
  clockSkew,
  orderless,
  leftBehind,
  scheduledFar,
  unknownStatus,
  notProcessed,
  unmatchedRows,
  notKnown,
  monitorDown,
  paused,
];
