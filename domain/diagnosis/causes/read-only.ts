import { formatPlural } from "../../format.ts";
import type { DiagnosisInput, Rule } from "../cause.ts";
import { type NoWrites, SILENT_SOON_SECONDS } from "../facts.ts";
import { ageSecondsOf, allWaits, evidenceOf, formatInstant, heldUp, pagePath } from "../phrases.ts";

export const readOnly: Rule = {
  rule: "read_only",
  title: "Database takes no writes",
  definition:
    "The database takes no writes, so no relay can claim, mark or say that it is alive. Relays that run go on as soon as it does.",
  threshold: () =>
    `no relay has sent a heartbeat for ${SILENT_SOON_SECONDS} s, and the server or its sessions are read-only, or it refuses a heartbeat that is tried in the relay's place`,
  needs: ["relays", "readOnly"],
  evaluate: (input) => {
    const { settings, facts } = input;
    if (settings.mode !== "relay" || !facts.readOnly || isAnyHeard(input)) return [];
    const { reason, tried, leased, remedy } = facts.readOnly;
    const instances = facts.relays?.instances ?? [];
    const [last] = instances;
    return [
      {
        key: "read-only",
        word: leased ? "unknown" : "not_delivering",
        severity: leased ? "warn" : "fail",
        title: tried ? "Database refuses writes" : remedy ? "Database takes no writes" : "Database read-only",
        subject: reason,
        what: leased
          ? `the database refuses the relay's heartbeat (${reason}), so what the relay does is not known`
          : `the database takes no writes (${reason})`,
        clauses: [allWaits(input)],
        diagnosis: leased
          ? "A relay holds this outbox and renews its lease. It may publish; its errors, its sink and its rates are not known here."
          : "Nothing is published, and operators' actions are refused. Whether relays run cannot be seen, because their heartbeats are writes too.",
        nextStep: nextStepOf(facts.readOnly),
        next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
        ...heldUp(input),
        aggregates: null,
        since: last?.heartbeatAt ?? null,
        evidence: evidenceOf({
          Reason: reason,
          "Known instances": instances.length > 0 ? formatPlural(instances.length, "instance") : "none",
          "Last heartbeat": last ? formatInstant(last.heartbeatAt) : null,
        }),
      },
    ];
  },
};

/** A heartbeat was just written: the relays use another database, or it takes writes. */
function isAnyHeard({ facts, asOf }: DiagnosisInput): boolean {
  const instances = facts.relays?.instances ?? [];
  return instances.some(({ heartbeatAt }) => ageSecondsOf(heartbeatAt, asOf) < SILENT_SOON_SECONDS);
}

function nextStepOf({ tried, remedy }: NoWrites): string {
  if (remedy !== undefined) return `${remedy} Relays that run then resume by themselves. Nothing is lost meanwhile.`;
  return tried
    ? "Remove what the server names: free space on its disk, grant the database user its permissions again (`npm run doctor` names missing ones), or undo the change. Relays that run then resume by themselves. Nothing is lost meanwhile."
    : "After a failover, let the URL name the server that takes writes. Some hosts switch to read-only when the disk is full. `npm run doctor` names the setting and the statement that resets it. Nothing is lost meanwhile.";
}
