import type { Rule } from "../rule.ts";
import {
  ageOf,
  ageSecondsOf,
  capitalise,
  endSentence,
  evidenceOf,
  formatInstant,
  formatMessages,
  relaysHref,
  verb,
} from "../rule-words.ts";

export const sinkUnavailable: Rule = {
  rule: "sink_unavailable",
  title: "Sink unavailable",
  definition:
    "A live relay has paused publishing because its sink cannot be used: no message is to blame and no attempts are burned.",
  threshold: () => "the relay's breaker is open",
  needs: ["relays", "waiting"],
  evaluate: ({ settings, facts, asOf }) => {
    const open = (facts.relays?.instances ?? []).find(
      (one) => one.breaker !== null && ageSecondsOf(one.heartbeatAt, asOf) <= settings.relaySilentSeconds,
    );
    if (!open?.breaker) return [];
    const due = facts.waiting?.due ?? 0;
    const waits = formatMessages(due, facts.waiting?.capped);
    const { breaker } = open;
    return [
      {
        key: `sink ${open.sinkName}`,
        severity: "fail",
        title: "Sink unavailable",
        subject: `${open.sinkName}: ${breaker.message}`,
        diagnosis: `The sink ${open.sinkName} at ${open.sinkAddress} has not been usable for ${ageOf(breaker.since, asOf)}: ${endSentence(breaker.message)} ${capitalise(waits)} ${verb(due, "waits", "wait")}. The messages are not to blame and lose no attempts.`,
        nextStep:
          "Bring the receiver back or correct its address. The relay probes it by itself and delivers everything in order; there is nothing to retry here.",
        href: relaysHref(settings.outbox),
        messages: due,
        aggregates: null,
        since: breaker.since,
        evidence: evidenceOf({
          Sink: `${open.sinkName} (${open.sinkAddress})`,
          Code: breaker.code,
          Error: breaker.message,
          "Down since": formatInstant(breaker.since),
          "Next probe": breaker.nextProbeAt ? formatInstant(breaker.nextProbeAt) : null,
          Waiting: waits,
        }),
      },
    ];
  },
};
