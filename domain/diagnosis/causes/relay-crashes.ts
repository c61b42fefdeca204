import { formatDuration, formatLimit, formatPlural } from "../../format.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { RelayReading } from "../facts/relays.ts";
import { ageSecondsOf, allWaits, byAge, evidenceOf, formatInstant, heldUp, lastErrorOf, pagePath } from "../phrases.ts";
import { aliveRelays, isAlive } from "./no-relay-alive.ts";

const WITHIN_SECONDS = 900;
/** A supervisor starts the next process at once; a person who kills one, or a failed host, takes longer. */
const QUICK = { deaths: 3, gapSeconds: 12 };
/** A platform that waits longer before each restart: then every process must have ended soon as well. */
const SLOW = { deaths: 5, gapSeconds: 60, lifeSeconds: 20 };
/** A relay that has run this long, and longer than twice the longest of the last three, has left the loop. */
const RUNS_AGAIN_SECONDS = 30;

export const relayCrashes: Rule = {
  rule: "relay_crashes",
  title: "Relay keeps crashing",
  definition: "One relay process after the other ended without a clean stop. Each restart repeats what was in flight.",
  threshold: () =>
    `${QUICK.deaths} processes, each started within ${QUICK.gapSeconds} s of the end of the one before; or ${SLOW.deaths} that ran for less than ${SLOW.lifeSeconds} s, each started within ${SLOW.gapSeconds} s; over once one has run for ${formatLimit(RUNS_AGAIN_SECONDS)} and twice as long as the longest of the last three`,
  needs: ["relays"],
  evaluate: (input) => {
    if (input.settings.mode !== "relay") return [];
    const died = loopIn(input);
    if (died.length === 0 || hasRecovered(input, died.slice(-QUICK.deaths))) return [];
    return [draftOf(input, died)];
  },
};

/** Processes that died one after the other. Those of a failed host died at the same time and are no loop. */
function deathsInTurn({ settings, facts, asOf }: DiagnosisInput): RelayReading[] {
  const died = (facts.relays?.instances ?? [])
    .filter((one) => one.state !== "stopped" && !isAlive(one, settings, asOf))
    .filter(({ heartbeatAt }) => ageSecondsOf(heartbeatAt, asOf) <= WITHIN_SECONDS)
    .toSorted((one, other) => Date.parse(one.heartbeatAt) - Date.parse(other.heartbeatAt));
  const inTurn: RelayReading[] = [];
  for (const one of died) {
    const before = inTurn.at(-1);
    if (!before || Date.parse(one.startedAt) >= Date.parse(before.heartbeatAt)) inTurn.push(one);
  }
  return inTurn;
}

/** The last deaths that make a loop; empty if they make none. */
function loopIn(input: DiagnosisInput): RelayReading[] {
  const died = deathsInTurn(input);
  const end = died.at(-1)?.heartbeatAt ?? "";
  const next = aliveRelays(input)
    .filter(({ startedAt }) => Date.parse(startedAt) >= Date.parse(end))
    .toSorted((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt))[0];
  const quick = tailOf(died, next, (_, gap) => gap <= QUICK.gapSeconds);
  // One slow restart among quick ones does not begin another loop.
  if (quick.length >= QUICK.deaths) return tailOf(died, next, (_, gap) => gap <= SLOW.gapSeconds);
  const slow = tailOf(died, next, (one, gap) => gap <= SLOW.gapSeconds && secondsOf(one) <= SLOW.lifeSeconds);
  return slow.length >= SLOW.deaths ? slow : [];
}

/** The longest end of the list whose members all pass. `gap`: seconds until the process after it started. */
function tailOf(
  died: readonly RelayReading[],
  next: RelayReading | undefined,
  passes: (one: RelayReading, gap: number) => boolean,
): RelayReading[] {
  const after = (index: number) => (index + 1 < died.length ? died[index + 1] : next);
  const from = died.findLastIndex((one, index) => {
    const follower = after(index);
    return !passes(one, follower ? ageSecondsOf(one.heartbeatAt, follower.startedAt) : 0);
  });
  return died.slice(from + 1);
}

function secondsOf({ startedAt, heartbeatAt }: RelayReading): number {
  return ageSecondsOf(startedAt, heartbeatAt);
}

function hasRecovered(input: DiagnosisInput, died: readonly RelayReading[]): boolean {
  const needed = Math.max(RUNS_AGAIN_SECONDS, 2 * Math.max(...died.map(secondsOf)));
  return aliveRelays(input).some(({ startedAt }) => ageSecondsOf(startedAt, input.asOf) >= needed);
}

function draftOf(input: DiagnosisInput, died: readonly RelayReading[]): CauseDraft {
  const { settings, figures } = input;
  const [first] = died as [RelayReading];
  const last = died.at(-1) ?? first;
  const alive = aliveRelays(input).length > 0;
  const late = figures.judged.oldestPending !== "pass";
  const processes = formatPlural(died.length, "process", "processes");
  return {
    key: "crashes",
    word: !alive ? "not_delivering" : late ? "late" : "at_risk",
    severity: alive ? byAge(input) : "fail",
    title: "Relay keeps crashing",
    subject: `process ${last.pid} on ${last.host}`,
    what: `the relay keeps crashing: ${processes} ended without a clean stop`,
    clauses: [
      allWaits(input),
      alive ? null : "no relay is alive",
      `the last one ran for ${formatDuration(secondsOf(last))}`,
    ],
    diagnosis: `The last was process ${last.pid} on ${last.host}, with its heartbeat of ${formatInstant(last.heartbeatAt)}. Nothing is lost; each restart waits for the lease of the process before and publishes again what was in flight.`,
    nextStep:
      "Read the end of the worker's log and why the platform ended it: out of memory, a failed liveness probe, an error at start. If one message kills it, the relay finds that message by itself and dead-letters it.",
    next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
    ...heldUp(input),
    aggregates: null,
    since: first.heartbeatAt,
    evidence: evidenceOf({
      Processes: died.map(({ pid, host }) => `${pid} on ${host}`).join(", "),
      "Last heartbeats": died.map(({ heartbeatAt }) => formatInstant(heartbeatAt)).join(", "),
      ...lastErrorOf(last),
    }),
  };
}
