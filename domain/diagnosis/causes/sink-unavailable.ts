import type { Rule } from "../cause.ts";
import {
  ageOf,
  ageSecondsOf,
  allWaits,
  byAge,
  endSentence,
  evidenceOf,
  formatInstant,
  formatSince,
  pagePath,
  shortError,
} from "../phrases.ts";
import { sinkCause, sinkNextStep } from "../sink-words.ts";
import { aliveRelays } from "./no-relay-alive.ts";

/** A probe further ahead is said: until then nothing happens, even if the sink works again. */
const LONG_WAIT_SECONDS = 30;

export const sinkUnavailable: Rule = {
  rule: "sink_unavailable",
  title: "Sink unavailable",
  definition:
    "A live relay publishes nothing because its sink cannot be used. No message is to blame and no attempts are burned.",
  threshold: () => "the relay's breaker is open; a sink that throttles is a warning until the age limit is reached",
  needs: ["relays"],
  evaluate: (input) => {
    const { settings, figures, asOf } = input;
    const open = aliveRelays(input).find((one) => one.breaker !== null);
    if (!open?.breaker) return [];
    const { breaker } = open;
    const throttled = breaker.code === "throttled" && byAge(input) === "warn";
    return [
      {
        key: `sink ${open.sinkName}`,
        word: throttled ? "late" : "not_delivering",
        severity: throttled ? "warn" : "fail",
        title: "Sink unavailable",
        subject: `${open.sinkName}: ${shortError(breaker.message)}`,
        what: sinkCause({ sink: open.sinkName, code: breaker.code, message: shortError(breaker.message) }),
        clauses: [allWaits(input), nextTry(breaker.nextProbeAt, asOf)],
        diagnosis: `The sink ${open.sinkName} at ${open.sinkAddress} has been unusable for ${ageOf(breaker.since, asOf)}: ${endSentence(breaker.message)} The messages are not to blame and lose no attempts.`,
        nextStep: throttled
          ? "The relay waits as long as the sink asked, then goes on in order. Nothing to do unless this lasts."
          : sinkNextStep(breaker.code),
        next: { label: `See the cause: ${open.sinkName}, ${breaker.code}`, path: pagePath("stuck", settings.outbox) },
        messages: figures.waiting,
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

function nextTry(nextProbeAt: string | null, asOf: string): string | null {
  if (nextProbeAt === null || ageSecondsOf(asOf, nextProbeAt) <= LONG_WAIT_SECONDS) return null;
  return `the relay tries again at ${formatSince(nextProbeAt, asOf)}`;
}
