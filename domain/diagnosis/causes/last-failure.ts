import {
  NOT_YET_WRITTEN,
  NOTHING_CLAIMED,
  OUTCOMES_UNWRITTEN,
  ROWS_LOCKED,
  STORE_SILENT,
} from "../../relay/unwritten-outcomes.ts";
import type { DiagnosisInput } from "../cause.ts";
import { ageSecondsOf, shortError } from "../phrases.ts";
import { isOfOthersMarks } from "./foreign-relay.ts";
import { aliveRelays } from "./no-relay-alive.ts";

/**
 * A failed attempt this recent may be of what waits: a message that waits without using up attempts is tried this
 * often.
 */
const FAILED_SECONDS = 60;

/**
 * The last failure of a live relay, if it is recent. Messages that are throttled, or whose topic is missing among
 * others of their type, wait without an attempt, and no row counts them as failed.
 */
export function lastFailure(input: DiagnosisInput): string | null {
  if (input.settings.mode !== "relay") return null;
  const failed = aliveRelays(input).find(
    ({ lastError, lastErrorAt: at, lastPublishedAt: published }) =>
      lastError !== null &&
      !isOfOthersMarks(lastError) &&
      at !== null &&
      ageSecondsOf(at, input.asOf) < FAILED_SECONDS &&
      !(stopsEverything(lastError) && published !== null && published > at),
  );
  return failed?.lastError ? shortError(failed.lastError) : null;
}

/** What stops everything is over once a message got through. */
function stopsEverything(error: string): boolean {
  return isOfStore(error) || NO_CONNECTION.test(error);
}

const NO_CONNECTION = /\b(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)\b/;

export function isOfStore(error: string): boolean {
  return error.startsWith(NOTHING_CLAIMED) || error.startsWith(OUTCOMES_UNWRITTEN) || error.includes(NOT_YET_WRITTEN);
}

/** Why the store refuses marks of a live relay now; null if it does not, or if a lock or silence keeps them out. */
export function refusedMarks(input: DiagnosisInput): string | null {
  for (const { settlingSince, lastError, lastErrorAt } of aliveRelays(input)) {
    if (settlingSince === null || !lastError?.startsWith(OUTCOMES_UNWRITTEN)) continue;
    if (lastErrorAt === null || lastErrorAt < settlingSince) continue;
    const reason = lastError.slice(OUTCOMES_UNWRITTEN.length);
    if (reason !== ROWS_LOCKED && !reason.startsWith(STORE_SILENT)) return reason;
  }
  return null;
}
