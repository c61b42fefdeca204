import type { Incident } from "../incident.ts";
import { consoleClockAhead, consoleClockBehind } from "./clocks/console-clock-shifted.ts";
import { relayClockAhead, relayClockBehind } from "./clocks/relay-clock-shifted.ts";
import { scheduledFar } from "./clocks/scheduled-far.ts";
import { writtenInTheFuture } from "./clocks/written-in-the-future.ts";
import {
  connectionsRefused,
  databaseFull,
  databaseReadOnly,
  diskFull,
  grantsRevoked,
  oneMarkRefused,
  passwordRotated,
  recordsForbidden,
  rowsHidden,
  tableForbidden,
  tableRenamed,
} from "./databases/account-refused.ts";
import { databaseDown, databaseSilent } from "./databases/database-silent.ts";
import { mysqlAllLocked } from "./databases/mysql-all-locked.ts";
import { mysqlGrantsRevoked } from "./databases/mysql-grants-revoked.ts";
import { mysqlPrepared } from "./databases/mysql-prepared.ts";
import { mysqlReadOnly } from "./databases/mysql-read-only.ts";
import { mysqlTableLocked } from "./databases/mysql-table-locked.ts";
import { oldTransaction } from "./databases/old-transaction.ts";
import { rowsLocked } from "./databases/rows-locked.ts";
import { tableLocked } from "./databases/table-locked.ts";
import { triggerLocked } from "./databases/trigger-locked.ts";
import { foreignSlot } from "./logs/foreign-slot.ts";
import { mysqlLogPurged } from "./logs/mysql-log-purged.ts";
import { slotDropped } from "./logs/slot-dropped.ts";
import { slotHoldsLog } from "./logs/slot-holds-log.ts";
import { slotLostWhileStopped } from "./logs/slot-lost-while-stopped.ts";
import { onMysql } from "./on-mysql.ts";
import { foreignFailures } from "./relays/foreign-failures.ts";
import { foreignRelay } from "./relays/foreign-relay.ts";
import { frozenRelay } from "./relays/frozen-relay.ts";
import { monitorDead } from "./relays/monitor-dead.ts";
import { oldAfterRestart } from "./relays/old-after-restart.ts";
import { oldClaims } from "./relays/old-claims.ts";
import { paused } from "./relays/paused.ts";
import { pausedAndDead } from "./relays/paused-and-dead.ts";
import { relayCutOff } from "./relays/relay-cut-off.ts";
import { relayKilled } from "./relays/relay-killed.ts";
import { relayStopsCleanly } from "./relays/relay-stops-cleanly.ts";
import { stuckInFlight } from "./relays/stuck-in-flight.ts";
import { typePaused } from "./relays/type-paused.ts";
import { burstDrains, burstDrainsTooLate } from "./sinks/burst-drains.ts";
import { everythingRejected } from "./sinks/everything-rejected.ts";
import { poisonAggregate } from "./sinks/poison-aggregate.ts";
import { sinkAnswers500 } from "./sinks/sink-answers-500.ts";
import { sinkDown } from "./sinks/sink-down.ts";
import { sinkFlaps } from "./sinks/sink-flaps.ts";
import { sinkHangs } from "./sinks/sink-hangs.ts";
import { sinkRefusesCredentials } from "./sinks/sink-refuses-credentials.ts";
import { sinkSlow } from "./sinks/sink-slow.ts";
import { sinkThrottles } from "./sinks/sink-throttles.ts";
import { sixOfSixteen } from "./sinks/six-of-sixteen.ts";
import { tenantDown } from "./sinks/tenant-down.ts";
import { typeAnswers404 } from "./sinks/type-answers-404.ts";
import { typeAnswers500 } from "./sinks/type-answers-500.ts";
import { typeRejected } from "./sinks/type-rejected.ts";
import { typeTooLarge } from "./sinks/type-too-large.ts";
import { mappingChanged } from "./tables/mapping-changed.ts";
import { mysqlTableSwapped } from "./tables/mysql-table-swapped.ts";
import { noAges } from "./tables/no-ages.ts";
import { numbersRunOut } from "./tables/numbers-run-out.ts";
import { orderColumnEmpty } from "./tables/order-column-empty.ts";
import { rowsMarkedByHand } from "./tables/rows-marked-by-hand.ts";
import { unknownStatus } from "./tables/unknown-status.ts";

/** Where a stack's incidents run together, the long ones come first. */
export const ALL_INCIDENTS: readonly Incident[] = [
  poisonAggregate,
  foreignRelay,
  sinkSlow,
  tenantDown,
  foreignFailures,
  burstDrains,
  burstDrainsTooLate,
  typeRejected,
  rowsMarkedByHand,
  sinkThrottles,
  sinkFlaps,
  everythingRejected,
  typeAnswers500,
  typeAnswers404,
  rowsLocked,
  tableLocked,
  triggerLocked,
  typeTooLarge,
  sinkDown,
  sinkAnswers500,
  sinkHangs,
  sinkRefusesCredentials,
  typePaused,
  paused,
  stuckInFlight,
  oldClaims,
  unknownStatus,
  noAges,
  orderColumnEmpty,
  numbersRunOut,
  scheduledFar,
  writtenInTheFuture,
  relayKilled,
  relayStopsCleanly,
  pausedAndDead,
  monitorDead,
  frozenRelay,
  relayCutOff,
  oldAfterRestart,
  databaseSilent,
  databaseDown,
  mappingChanged,
  relayClockAhead,
  relayClockBehind,
  consoleClockAhead,
  consoleClockBehind,
  sixOfSixteen,
  oldTransaction,
  grantsRevoked,
  tableForbidden,
  databaseReadOnly,
  passwordRotated,
  connectionsRefused,
  diskFull,
  databaseFull,
  oneMarkRefused,
  tableRenamed,
  rowsHidden,
  recordsForbidden,
  slotDropped,
  slotHoldsLog,
  slotLostWhileStopped,
  foreignSlot,
  onMysql(databaseSilent),
  onMysql(relayKilled),
  onMysql(rowsLocked),
  onMysql(mappingChanged),
  mysqlGrantsRevoked,
  mysqlReadOnly,
  mysqlAllLocked,
  mysqlTableLocked,
  mysqlPrepared,
  mysqlLogPurged,
  mysqlTableSwapped,
];
