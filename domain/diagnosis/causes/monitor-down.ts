import { MONITOR_SILENT_SECONDS } from "#domain/monitor.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import type { CauseDraft, DiagnosisSettings, Rule } from "../cause.ts";
import { ageOf, evidenceOf, formatInstant, isOfOutage, pagePath, shortError } from "../phrases.ts";

export const monitorDown: Rule = {
  rule: "monitor_down",
  title: "No monitor",
  definition:
    "A monitor ran here before and none runs now, or none can write into the console's own database. Rates and charts are not updated; counts and health are read on demand.",
  threshold: () =>
    `its lease expired more than ${MONITOR_SILENT_SECONDS} s ago, or the console's own database cannot be used`,
  needs: ["monitor"],
  evaluate: (input) => {
    const { settings, facts, asOf } = input;
    const { monitor } = facts;
    if (!monitor) return [];
    const { alive, lastSeenAt, problem } = monitor;
    // One that is alive holds its lease, and cannot write elsewhere.
    if (problem !== null) return [draftOfRecords(settings, problem, alive ? undefined : lastSeenAt)];
    if (alive || lastSeenAt === null || isOfOutage(input, lastSeenAt, MONITOR_SILENT_SECONDS)) return [];
    return [
      {
        key: "monitor",
        word: "at_risk",
        severity: "warn",
        title: "No monitor",
        subject: `last seen ${ageOf(lastSeenAt, asOf)} ago`,
        what: "no monitor runs, so charts and rates are not updated",
        diagnosis: `The monitor was last seen ${ageOf(lastSeenAt, asOf)} ago. Charts, rates and the history of findings have a gap since then; counts, ages and health are read on demand and are correct.`,
        nextStep: `Start a worker (${ourCommand("worker")}); the monitor is part of it.`,
        next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
        messages: null,
        aggregates: null,
        since: lastSeenAt,
        evidence: evidenceOf({ "Last seen": formatInstant(lastSeenAt) }),
      },
    ];
  },
};

/** `lastSeenAt`: left out while a monitor is alive. */
function draftOfRecords(settings: DiagnosisSettings, problem: string, lastSeenAt?: string | null): CauseDraft {
  // The sentences after the first say what to do.
  const reason = problem.split(/(?<=\.) /, 1)[0] ?? problem;
  return {
    key: "records",
    word: "at_risk",
    severity: "warn",
    title: "Console's database",
    subject: shortError(reason),
    what: `charts, findings and alerts are not updated (${shortError(reason)})`,
    ...(lastSeenAt === null ? { saysSince: false } : {}),
    diagnosis: `Counts, ages and health are read on demand and are correct.`,
    nextStep: `Repair the console's own database (console.databaseUrl); \`${ourCommand("doctor")}\` checks it. No alert is sent until then. A running monitor resumes by itself.`,
    next: { label: "See the settings", path: pagePath("settings", settings.outbox) },
    messages: null,
    aggregates: null,
    since: lastSeenAt ?? null,
    evidence: evidenceOf({ Reason: problem, "Monitor last seen": lastSeenAt ? formatInstant(lastSeenAt) : null }),
  };
}
