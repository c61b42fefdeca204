import { formatLimit } from "../../format.ts";
import { describeWithheld } from "../../message/withheld.ts";
import type { Rule } from "../cause.ts";
import { allWaits, byAge, evidenceOf, formatInstant, formatSince, heldUp, pagePath, shortError } from "../phrases.ts";

export const paused: Rule = {
  rule: "paused",
  title: "Paused",
  definition:
    "The outbox was paused on purpose; or a part of it is paused or held behind dead messages, and messages wait longer than they should.",
  threshold: (settings) =>
    `the whole outbox: at once; a part: once a message has waited ${formatLimit(settings.warnSeconds || settings.failSeconds)}`,
  needs: ["relays"],
  evaluate: (input) => {
    const { settings, facts, figures, asOf } = input;
    // A pause keeps relays from publishing what the connector publishes; the connector itself does not obey it.
    if (settings.connector !== null) return [];
    const next = { label: "See the pause", path: pagePath("relays", settings.outbox) };
    const pause = facts.relays?.pause;
    if (pause) {
      const reason = shortError(pause.reason);
      const until = pause.until === null ? "until someone resumes it" : `until ${formatSince(pause.until, asOf)}`;
      return [
        {
          key: "outbox",
          word: "paused",
          severity: "warn",
          title: "Paused",
          subject: `by ${pause.by}`,
          what: `by ${pause.by} ${until}: ${reason}`,
          saysSince: false,
          clauses: [allWaits(input)],
          diagnosis: "Nothing is published while it is paused.",
          nextStep: "Resume it on Relays when the reason is gone; everything then goes out in order.",
          next,
          ...heldUp(input),
          aggregates: null,
          since: null,
          evidence: evidenceOf({
            By: pause.by,
            Reason: pause.reason,
            Until: pause.until === null ? "no end" : formatInstant(pause.until),
          }),
        },
      ];
    }
    const withheld = facts.relays ? describeWithheld(facts.relays.partial) : null;
    if (withheld === null || figures.judged.oldestPending === "pass") return [];
    return [
      {
        key: "part",
        word: "in_part",
        severity: byAge(input),
        title: "Paused in part",
        subject: withheld,
        what: `${withheld}, and messages wait longer than ${formatLimit(settings.warnSeconds || settings.failSeconds)}`,
        saysSince: false,
        clauses: [allWaits(input)],
        diagnosis: "That may be all that waits.",
        nextStep:
          "Relays lists what is paused or held. Resume it, or deal with the dead messages that hold aggregates.",
        next: { label: "See what is paused", path: pagePath("relays", settings.outbox) },
        ...heldUp(input),
        aggregates: null,
        since: null,
        evidence: [],
      },
    ];
  },
};
