import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { RelayReading } from "../facts/relays.ts";
import {
  ageSecondsOf,
  allWaits,
  byAge,
  evidenceOf,
  formatInstant,
  formatSince,
  heldUp,
  pagePath,
  shortError,
} from "../phrases.ts";
import { sinkCause, sinkNextStep, worksAtTimes } from "../sink-words.ts";
import { aliveRelays, hasPublishedSince } from "./no-relay-alive.ts";

/** A probe further ahead is mentioned: until then nothing is sent, even if the sink works again. */
const LONG_WAIT_SECONDS = 30;

export const sinkUnavailable: Rule = {
  rule: "sink_unavailable",
  title: "Sink unavailable",
  definition:
    "A live relay publishes nothing because its sink cannot be used. No message is to blame and no attempts are used up.",
  threshold: () =>
    "the relay's breaker is open; a warning while the sink only throttles and the age limit is not reached, and while nothing is due for the sink or the outbox is paused",
  needs: ["relays"],
  evaluate: (input) => {
    const { settings, asOf } = input;
    const open = longestDown(input);
    if (!open) return [];
    const { breaker } = open;
    if (hasNothingToProbeWith(input) || isPaused(input, open)) return [draftOfUntried(input, open)];
    const other = publishingBeside(input, breaker);
    if (other) return [draftOfOne(input, open, other)];
    const throttled = breaker.code === "throttled";
    const untried = isTableLocked(input);
    const briefly = throttled && byAge(input) === "warn";
    return [
      {
        key: `sink ${open.sinkName}`,
        word: briefly || (throttled && publishesAtTimes(open, asOf)) ? "late" : "not_delivering",
        severity: briefly ? "warn" : "fail",
        title: "Sink unavailable",
        subject: `${open.sinkName}: ${shortError(breaker.message)}`,
        what: sinkCause({ sink: open.sinkName, code: breaker.code, message: shortError(breaker.message) }),
        clauses: [allWaits(input), untried ? UNTRIED_BY_LOCK : nextTry(breaker, asOf)],
        diagnosis: "The messages are not to blame and use up no attempts.",
        nextStep: `${untried ? RELEASE_FIRST : ""}${sinkNextStep(breaker, { briefly })}${isLongWait(breaker, asOf) ? TRIES_AT_ONCE : ""}`,
        next: { label: `See the cause: ${open.sinkName}, ${breaker.code}`, path: pagePath("stuck", settings.outbox) },
        ...heldUp(input),
        aggregates: null,
        since: breaker.since,
        evidence: evidenceOf({
          Sink: `${open.sinkName} (${open.sinkAddress})`,
          Code: breaker.code,
          Error: breaker.message,
          "Down since": formatInstant(breaker.since),
          "Next probe": breaker.nextProbeAt ? formatInstant(breaker.nextProbeAt) : null,
        }),
      },
    ];
  },
};

/** Nobody can read the table, so the relay claims no message to try the sink with. */
function isTableLocked({ figures, facts }: DiagnosisInput): boolean {
  return figures.tableLocked && (facts.lockHolders ?? []).some(({ keepsOutReaders }) => keepsOutReaders);
}

const UNTRIED_BY_LOCK = "it cannot be tried while the table is locked";
const RELEASE_FIRST = "End the lock on the table first: until then the relay has no message to try the sink with. ";

/** A receiver that throttles may still take some messages between two refusals. */
function publishesAtTimes(relay: Down, asOf: string): boolean {
  return worksAtTimes(relay.breaker) && hasPublishedSince(relay, relay.breaker.since, asOf);
}

interface Down extends RelayReading {
  breaker: NonNullable<RelayReading["breaker"]>;
}

/** Of several relays whose breakers are open, the one whose sink failed first. */
function longestDown(input: DiagnosisInput): Down | undefined {
  return aliveRelays(input)
    .filter((one): one is Down => one.breaker !== null)
    .toSorted((one, other) => one.breaker.since.localeCompare(other.breaker.since))[0];
}

/**
 * A relay of the same outbox that has published since: then one host's way to the sink is at fault, not the sink. It
 * does not matter how long ago it published: if its own way were cut, its breaker would be open too.
 */
function publishingBeside(input: DiagnosisInput, { since }: Down["breaker"]): RelayReading | undefined {
  return aliveRelays(input).find(
    ({ breaker, lastPublishedAt: last }) => breaker === null && last !== null && last > since,
  );
}

/** One of several relays cannot use its sink. Its share of the aggregates waits. */
function draftOfOne(input: DiagnosisInput, open: Down, other: RelayReading): CauseDraft {
  const { settings, asOf } = input;
  const { breaker, sinkName } = open;
  const [here, there] = [nameOf(open), nameOf(other)];
  const cause = sinkCause({ sink: sinkName, code: breaker.code, message: shortError(breaker.message) });
  return {
    key: `sink ${sinkName}`,
    word: "in_part",
    severity: byAge(input),
    title: "Sink unavailable for one relay",
    subject: `${here}: ${shortError(breaker.message)}`,
    what: `for ${here} ${cause}`,
    clauses: [`${there} publishes`, allWaits(input), nextTry(breaker, asOf)],
    diagnosis: "What belongs to the relay that fails waits and uses up no attempts.",
    nextStep:
      "Compare the network, the configuration and the environment of both processes. If you stop the one that fails, the others take over what waits.",
    next: { label: `See the cause: ${sinkName}, ${breaker.code}`, path: pagePath("stuck", settings.outbox) },
    // How many belong to that relay is not read.
    messages: null,
    aggregates: null,
    since: breaker.since,
    evidence: evidenceOf({
      Relay: here,
      Sink: `${sinkName} (${open.sinkAddress})`,
      Code: breaker.code,
      Error: breaker.message,
      "Down since": formatInstant(breaker.since),
      "Publishes all the same": `${there}, to ${other.sinkName} (${other.sinkAddress})`,
    }),
  };
}

function nameOf({ pid, host }: RelayReading): string {
  return `process ${pid} on ${host}`;
}

type Probe = Pick<Down["breaker"], "nextProbeAt">;

/** A receiver's wish (Retry-After): our own waits are shorter. */
function isLongWait({ nextProbeAt }: Probe, asOf: string): boolean {
  return nextProbeAt !== null && ageSecondsOf(asOf, nextProbeAt) > LONG_WAIT_SECONDS;
}

const TRIES_AT_ONCE =
  " The receiver asked the relay to wait that long, or longer. If it is back sooner, pause the outbox on Relays and resume it: the relay then tries at once.";

function nextTry(breaker: Probe, asOf: string): string | null {
  if (breaker.nextProbeAt === null || !isLongWait(breaker, asOf)) return null;
  return `the relay tries again at ${formatSince(breaker.nextProbeAt, asOf)}`;
}

/**
 * True if no message is due: the relay probes only with messages, so whether the sink is back is not known. Where no
 * row says what waits, messages of the log may be due.
 */
export function hasNothingToProbeWith({ figures, settings }: DiagnosisInput): boolean {
  if (settings.byLog || !figures.waitingKnown) return false;
  if (figures.waiting === 0) return true;
  return figures.agesKnown && figures.oldestSeconds === null && figures.oldestClaimSeconds === null;
}

/** Something waited at the newest sample: it went, or was taken away, since the relay last said that its sink fails. */
function waitedJustNow({ figures }: DiagnosisInput): boolean {
  return figures.waiting === 0 && (figures.waitingBefore ?? 0) > 0;
}

/** It obeys the pause: it sends nothing, probes included. */
function isPaused({ facts }: DiagnosisInput, { state }: RelayReading): boolean {
  return facts.relays?.pause != null && state === "paused";
}

function draftOfUntried(input: DiagnosisInput, open: Down): CauseDraft {
  const { sinkName, sinkAddress, breaker, heartbeatAt } = open;
  const error = shortError(breaker.message);
  const words = isPaused(input, open) ? PAUSED : waitedJustNow(input) ? GONE_SINCE : UNTRIED;
  return {
    key: `sink ${sinkName}`,
    word: "at_risk",
    severity: "warn",
    title: words.title,
    subject: `${sinkName}: ${error}`,
    what: `the sink ${sinkName} ${words.failed} (${error}), and ${words.and}`,
    saysSince: false,
    diagnosis: words.diagnosis,
    nextStep: words.nextStep,
    next: { label: `See the cause: ${sinkName}, ${breaker.code}`, path: pagePath("stuck", input.settings.outbox) },
    messages: null,
    aggregates: null,
    since: breaker.since,
    evidence: evidenceOf({
      Sink: `${sinkName} (${sinkAddress})`,
      Code: breaker.code,
      Error: breaker.message,
      "First failure": formatInstant(breaker.since),
      "Relay's last report": formatInstant(heartbeatAt),
    }),
  };
}

const UNTRIED = {
  title: "Sink failed when last tried",
  failed: "failed when it was last tried",
  and: "no message is due that would try it again",
  diagnosis:
    "No message is due now, and the relay tests a sink only by sending messages, so whether it is back is not known.",
  nextStep:
    "Nothing is held up. See whether the receiver is back; the next message that is due tries it, and goes out if it is. If messages were waiting for this sink and you do not know where they went, see who deleted or marked their rows.",
};

const PAUSED = {
  title: "Sink failed when last tried",
  failed: "failed when it was last tried",
  and: "it is not tried while the outbox is paused",
  diagnosis:
    "The relay tests a sink only by sending messages, and sends none while the outbox is paused, so whether it is back is not known.",
  nextStep: "See whether the receiver is back, then resume the outbox on Relays: the relay tries it at once.",
};

const GONE_SINCE = {
  title: "Sink failed a moment ago",
  failed: "failed at the relay's last report",
  and: "the waiting messages have gone since",
  diagnosis:
    "Nothing waits any more, which usually means that the sink is back. The relay has not reported yet, so this is not certain.",
  nextStep:
    "Look again in a few seconds: the relay's next report says whether the sink is back. If it is not, see who deleted or marked the rows that waited.",
};
