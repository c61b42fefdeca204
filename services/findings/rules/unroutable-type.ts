import { nextStepOfFailure } from "../../messages/next-step-of-failure.ts";
import type { Rule } from "../rule.ts";
import {
  capitalise,
  endSentence,
  evidenceOf,
  formatInstant,
  formatMessages,
  messagesHref,
  verb,
} from "../rule-words.ts";

export const unroutableType: Rule = {
  rule: "unroutable_type",
  title: "Unroutable type",
  definition:
    "Messages of a type died at once because nothing takes them where they are routed: the topic, queue or stream is not there, or no address can be made.",
  threshold: () => "at least one of the newest 1,000 dead messages",
  needs: ["unroutable"],
  evaluate: ({ settings, facts }) =>
    (facts.unroutable ?? []).map(({ eventType, messages, error, fingerprint, since }) => {
      const type = eventType ?? "no event type";
      const why = error ?? "the sink said no more";
      return {
        key: `type ${eventType ?? ""}`,
        severity: "warn" as const,
        title: "Unroutable type",
        subject: type,
        diagnosis: `${capitalise(formatMessages(messages))} of ${type} ${verb(messages, "is", "are")} dead: ${endSentence(why)} ${verb(messages, "It was", "They were")} not tried again, because no further try would find another address.`,
        nextStep: nextStepOfFailure("unroutable", why) ?? "",
        href: messagesHref(settings.outbox, { state: "dead", ...(fingerprint ? { group: fingerprint } : {}) }),
        messages,
        aggregates: null,
        since,
        evidence: evidenceOf({ Type: type, Error: why, Since: since ? formatInstant(since) : null }),
      };
    }),
};
