import type { Rule } from "../cause.ts";
import { ageOf, evidenceOf, formatInstant, isOfOutage, pagePath } from "../phrases.ts";

/** As in its threshold. */
const SILENT_SECONDS = 30;

export const monitorDown: Rule = {
  rule: "monitor_down",
  title: "No monitor",
  definition:
    "A monitor ran here before and none runs now. Rates and charts stand still; counts and health are read on demand.",
  threshold: () => "its lease has run out for 30 s",
  needs: ["monitor"],
  evaluate: (input) => {
    const { settings, facts, asOf } = input;
    const { monitor } = facts;
    if (!monitor || monitor.alive || isOfOutage(input, monitor.lastSeenAt, SILENT_SECONDS)) return [];
    return [
      {
        key: "monitor",
        word: "at_risk",
        severity: "warn",
        title: "No monitor",
        subject: `last seen ${ageOf(monitor.lastSeenAt, asOf)} ago`,
        what: "no monitor runs, so charts and rates stand still",
        diagnosis: `The monitor was last seen ${ageOf(monitor.lastSeenAt, asOf)} ago. Charts, rates and the history of findings have a gap since then; counts, ages and health are read on demand and are correct.`,
        nextStep: "Start a worker (npm run worker); the monitor is part of it.",
        next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
        messages: null,
        aggregates: null,
        since: monitor.lastSeenAt,
        evidence: evidenceOf({ "Last seen": formatInstant(monitor.lastSeenAt) }),
      },
    ];
  },
};
