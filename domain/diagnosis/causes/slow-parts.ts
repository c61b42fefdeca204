import { formatCount, formatDuration } from "../../format.ts";
import { OUTCOMES_UNWRITTEN, ROWS_LOCKED } from "../../relay/unwritten-outcomes.ts";
import type { DiagnosisInput } from "../cause.ts";
import { type RelayReading, SILENT_SOON_SECONDS } from "../facts/relays.ts";
import { ageSecondsOf, hasSurged, shrunkBy, unheard, verb } from "../phrases.ts";
import { aliveRelays } from "./no-relay-alive.ts";

/** A sink that has confirmed nothing for this long is worth a clause. */
const SILENT_SECONDS = 5;

/**
 * A sink that takes this long for a message is worth a clause, if enough are with it that their mean says something.
 */
const SLOW_SECONDS = 0.5;
const FEWEST_WITH_SINK = 3;

/** Marks of a batch take some milliseconds; those of a heartbeat's age may be over by now. */
const SLOW_MARKS_SECONDS = 2;

/** What a receiver says to a message: it works, and refuses what it is sent. */
const ANSWER = /^HTTP \d{3}\b/;

function hasAnswered({ lastError, lastErrorAt: at }: RelayReading, { asOf }: DiagnosisInput): boolean {
  return lastError !== null && ANSWER.test(lastError) && at !== null && ageSecondsOf(at, asOf) < SILENT_SECONDS;
}

/** Messages that the sink was sent and has not confirmed, if it has confirmed nothing for a while. */
export function withTheSink(input: DiagnosisInput): string | null {
  const owner = aliveRelays(input).find((one) => one.inFlight > 0 && !isSilent(one, input));
  if (!owner || input.settings.mode !== "relay") return null;
  const { lastPublishedAt: last, inFlight, sinkName } = owner;
  if ((last !== null && ageSecondsOf(last, input.asOf) < SILENT_SECONDS) || hasAnswered(owner, input)) return null;
  return `the sink ${sinkName} was sent ${formatCount(inFlight)} and has not confirmed ${verb(inFlight, "it", "them")} yet`;
}

/**
 * What the sink takes for a message, by how many are with it and how many it confirms a second, where that may be why
 * messages are late.
 */
export function slowSink(input: DiagnosisInput): string | null {
  const { settings, figures } = input;
  const busy = aliveRelays(input).filter((one) => one.inFlight > 0 && !isSilent(one, input));
  const withIt = busy.reduce((sum, { inFlight }) => sum + inFlight, 0);
  if (settings.mode !== "relay" || withIt < FEWEST_WITH_SINK || !publishesNow(input)) return null;
  // The rate is a mean of some seconds: of a burst that drains it says too little. What is with the sink may come back
  // at once.
  if (!figures.outPerSecond || shrunkBy(figures) > withIt || hasSurged(figures)) return null;
  const seconds = withIt / figures.outPerSecond;
  return seconds < SLOW_SECONDS
    ? null
    : `the sink ${busy[0]?.sinkName} takes about ${formatDuration(seconds)} a message`;
}

/** For how long the relay's oldest unfinished settle has lasted, if that may be why messages are late. */
export function slowMarks(input: DiagnosisInput): string | null {
  if (!isMarking(input)) return null;
  const since = aliveRelays(input).flatMap(({ settlingSince: at }) => at ?? []);
  const seconds = Math.max(...since.map((at) => ageSecondsOf(at, input.asOf)));
  return seconds < SLOW_MARKS_SECONDS ? null : `marking what was published has taken ${formatDuration(seconds)} so far`;
}

/** A relay writes the outcomes of what it has published, and is not done yet. */
export function isMarking(input: DiagnosisInput): boolean {
  return input.settings.mode === "relay" && aliveRelays(input).some(({ settlingSince }) => settlingSince !== null);
}

/** The rates are of the last seconds; our relays say whether they still publish. */
export function publishesNow(input: DiagnosisInput): boolean {
  if (input.settings.mode !== "relay") return true;
  const relays = aliveRelays(input);
  return relays.some(({ lastPublishedAt: at }) => at !== null && ageSecondsOf(at, input.asOf) < SILENT_SECONDS);
}

/** True for a relay whose last report is some seconds old: what it said then may be over. */
function isSilent({ heartbeatAt }: RelayReading, { asOf }: DiagnosisInput): boolean {
  return ageSecondsOf(heartbeatAt, asOf) >= SILENT_SOON_SECONDS;
}

/**
 * That no relay, or one of several, has been heard for some seconds, too short to call none alive: what it does
 * meanwhile is not known.
 */
export function silentRelay(input: DiagnosisInput): string | null {
  if (input.settings.mode !== "relay" || unheard(input)) return null;
  const relays = aliveRelays(input);
  const silent = relays.filter((one) => isSilent(one, input)).toSorted(byHeartbeat);
  const last = silent.at(silent.length === relays.length ? -1 : 0);
  if (!last) return null;
  const who = silent.length === relays.length ? "the relay" : `process ${last.pid} on ${last.host}`;
  return `${who} was last heard ${formatDuration(ageSecondsOf(last.heartbeatAt, input.asOf))} ago`;
}

function byHeartbeat(one: RelayReading, other: RelayReading): number {
  return one.heartbeatAt.localeCompare(other.heartbeatAt);
}

/** A live relay whose marks another session's lock keeps out, of whose holder its error says nothing. */
export function lockedOut(input: DiagnosisInput): RelayReading | null {
  const waits = ({ settlingSince, lastError, lastErrorAt }: RelayReading) =>
    settlingSince !== null &&
    lastError === `${OUTCOMES_UNWRITTEN}${ROWS_LOCKED}` &&
    lastErrorAt !== null &&
    lastErrorAt >= settlingSince;
  return aliveRelays(input).find(waits) ?? null;
}
