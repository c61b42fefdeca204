import type { Rule } from "../cause.ts";
import type { RelayScans } from "../facts/table.ts";
import { evidenceOf, formatMessages, pagePath } from "../phrases.ts";

const MEGABYTE = 1e6;

export const relayScans: Rule = {
  rule: "relay_scans",
  title: "Relay reads too much",
  definition:
    "No index holds only waiting messages: each poll of the relay reads the whole table, or reads past dead messages.",
  threshold: () => "judged once a minute by planning the relay's own claim, for tables above 16 MB",
  needs: ["relayScans"],
  evaluate: ({ settings, facts }) => {
    const { relayScans: scans } = facts;
    if (!scans) return [];
    const what = describe(scans);
    const invalid = (scans.invalid ?? []).join(", ");
    return [
      {
        key: "claim",
        word: "at_risk",
        severity: "warn",
        title: "Relay reads too much",
        subject: scans.index ?? "the whole table",
        what,
        saysSince: false,
        diagnosis: `The database spends several times more on each message than it needs to.${invalid === "" ? "" : ` No statement may use ${invalid}: its build has failed or still runs.`}`,
        nextStep: `${invalid === "" ? "" : `If no CREATE INDEX runs, drop what one left behind (${invalid}), as it costs every insert: DROP INDEX CONCURRENTLY. `}Create this index as the table's owner. It does not block writers: ${scans.sql}`,
        next: { label: "See the index to create", path: pagePath("settings", settings.outbox) },
        messages: scans.dead,
        messagesCapped: scans.deadCapped,
        aggregates: null,
        since: null,
        evidence: evidenceOf({
          Index: scans.index ?? "none",
          Table: `${Math.ceil(scans.tableBytes / MEGABYTE).toLocaleString("en-US")} MB`,
          "Invalid indexes": invalid,
          SQL: scans.sql,
        }),
      },
    ];
  },
};

function describe({ index, dead, deadCapped }: RelayScans): string {
  if (dead !== null)
    return `the relay's index also holds ${formatMessages(dead, deadCapped)} that are dead, and every poll reads past them`;
  return index === null
    ? "no index serves the relay's claim, and every poll reads the whole table"
    : `no index holds only waiting messages, and every poll reads all entries of ${index}`;
}
