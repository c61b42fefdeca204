import type { Rule } from "../rule.ts";
import { ageSecondsOf, endSentence, evidenceOf, formatMessages, relaysHref } from "../rule-words.ts";

/** A relay holds for its sink too; these are the first words of the error with which it holds for another relay. */
const FOREIGN_WORDS = "Another relay published";

export const foreignRelay: Rule = {
  rule: "foreign_relay",
  title: "Foreign relay",
  definition: "Our relay holds back because something else marks messages of the same table as published.",
  threshold: () => "the relay saw messages published by someone else in the last minute",
  needs: ["relays", "waiting"],
  evaluate: ({ settings, facts, asOf }) => {
    const holding = (facts.relays?.instances ?? []).find(
      (one) =>
        one.state === "holding" &&
        one.breaker === null &&
        one.lastError?.startsWith(FOREIGN_WORDS) &&
        ageSecondsOf(one.heartbeatAt, asOf) <= settings.relaySilentSeconds,
    );
    if (!holding) return [];
    return [
      {
        key: "relay",
        severity: "fail",
        title: "Foreign relay",
        subject: "someone else publishes this table",
        diagnosis: `Something other than this program marks messages of this table as published, so our relay holds back: two relays would deliver twice and out of order.${holding.lastError ? ` It says: ${endSentence(holding.lastError)}` : ""}`,
        nextStep:
          "Stop the other relay and ours takes over by itself. If the other one is to stay, set mode: operate for this outbox. Set relay.force: true only if you are sure that nothing else publishes.",
        href: relaysHref(settings.outbox),
        messages: facts.waiting?.due ?? null,
        aggregates: null,
        since: null,
        evidence: evidenceOf({
          "Our relay": `${holding.host}, process ${holding.pid}, holding`,
          "It says": holding.lastError,
          Waiting: facts.waiting ? formatMessages(facts.waiting.due, facts.waiting.capped) : null,
        }),
      },
    ];
  },
};
