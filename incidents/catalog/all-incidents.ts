import type { Incident } from "../incident.ts";
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
} from "./account-refused.ts";
import { burstDrains, burstDrainsTooLate } from "./burst-drains.ts";
import { consoleClockAhead, consoleClockBehind } from "./console-clock-shifted.ts";
import { databaseDown, databaseSilent } from "./database-silent.ts";
import { everythingRejected } from "./everything-rejected.ts";
import { foreignRelay } from "./foreign-relay.ts";
import { foreignSlot } from "./foreign-slot.ts";
import { frozenRelay } from "./frozen-relay.ts";
import { mappingChanged } from "./mapping-changed.ts";
import { monitorDead } from "./monitor-dead.ts";
import { mysqlAllLocked } from "./mysql-all-locked.ts";
import { mysqlGrantsRevoked } from "./mysql-grants-revoked.ts";
import { mysqlLogPurged } from "./mysql-log-purged.ts";
import { mysqlReadOnly } from "./mysql-read-only.ts";
import { noAges } from "./no-ages.ts";
import { oldAfterRestart } from "./old-after-restart.ts";
import { oldClaims } from "./old-claims.ts";
import { oldTransaction } from "./old-transaction.ts";
import { onMysql } from "./on-mysql.ts";
import { paused } from "./paused.ts";
import { pausedAndDead } from "./paused-and-dead.ts";
import { poisonAggregate } from "./poison-aggregate.ts";
import { relayClockAhead, relayClockBehind } from "./relay-clock-shifted.ts";
import { relayCutOff } from "./relay-cut-off.ts";
import { relayKilled } from "./relay-killed.ts";
import { relayStopsCleanly } from "./relay-stops-cleanly.ts";
import { rowsLocked } from "./rows-locked.ts";
import { rowsMarkedByHand } from "./rows-marked-by-hand.ts";
import { scheduledFar } from "./scheduled-far.ts";
import { sinkAnswers500 } from "./sink-answers-500.ts";
import { sinkDown } from "./sink-down.ts";
import { sinkFlaps } from "./sink-flaps.ts";
import { sinkHangs } from "./sink-hangs.ts";
import { sinkRefusesCredentials } from "./sink-refuses-credentials.ts";
import { sinkThrottles } from "./sink-throttles.ts";
import { sixOfSixteen } from "./six-of-sixteen.ts";
import { slotDropped } from "./slot-dropped.ts";
import { slotHoldsLog } from "./slot-holds-log.ts";
import { stuckInFlight } from "./stuck-in-flight.ts";
import { tableLocked } from "./table-locked.ts";
import { typeAnswers404 } from "./type-answers-404.ts";
import { typeAnswers500 } from "./type-answers-500.ts";
import { typePaused } from "./type-paused.ts";
import { typeRejected } from "./type-rejected.ts";
import { typeTooLarge } from "./type-too-large.ts";
import { unknownStatus } from "./unknown-status.ts";
import { writtenInTheFuture } from "./written-in-the-future.ts";

/** Where a stack's incidents run together, the long ones come first. */
export const ALL_INCIDENTS: readonly Incident[] = [
  poisonAggregate,
  foreignRelay,
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
  foreignSlot,
  onMysql(databaseSilent),
  onMysql(relayKilled),
  onMysql(rowsLocked),
  onMysql(mappingChanged),
  mysqlGrantsRevoked,
  mysqlReadOnly,
  mysqlAllLocked,
  mysqlLogPurged,
];
