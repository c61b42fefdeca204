import type { Rule } from "../cause.ts";
import { ageOf, evidenceOf, formatInstant, pagePath } from "../phrases.ts";

export const monitorDown: Rule = {
  rule: "monitor_down",
  title: "No monitor",
  definition:
    "A monitor has run here and none runs now: rates and charts stand still. Counts and health are still read on demand.",
  threshold: () => "its lease has run out for 30 s",
  needs: ["monitor"],
  evaluate: ({ settings, facts, asOf }) => {
    const { monitor } = facts;
    if (!monitor || monitor.alive) return [];
    return [
      {
        key: "monitor",
        word: "at_risk",
        severity: "warn",
        title: "No monitor",
        subject: `last seen ${ageOf(monitor.lastSeenAt, asOf)} ago`,
        what: "no monitor runs, so charts and rates stand still",
        diagnosis: `The monitor was last seen ${ageOf(monitor.lastSeenAt, asOf)} ago. Charts, rates and the history of findings have a gap from there on; counts, ages and health are read on demand and are right.`,
        nextStep: "Start a worker (npm run worker); it brings the monitor.",
        next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
        messages: null,
        aggregates: null,
        since: monitor.lastSeenAt,
        evidence: evidenceOf({ "Last seen": formatInstant(monitor.lastSeenAt) }),
      },
    ];
  },
};
