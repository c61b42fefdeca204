import { ourCommand } from "#domain/text/our-command.ts";
import { formatPlural } from "../../format.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import { SILENT_SOON_SECONDS } from "../facts/relays.ts";
import type { NoWrites } from "../facts/store-facts.ts";
import { allWaits, evidenceOf, formatInstant, heldUp, isShrinking, pagePath, unheard } from "../phrases.ts";
import { storeRemedy } from "../store-remedies.ts";

export const readOnly: Rule = {
  rule: "read_only",
  title: "Database takes no writes",
  definition:
    "The database takes no writes or no new connections, so no relay can claim, mark or say that it is alive. Running relays resume as soon as it takes both again.",
  threshold: () =>
    `no relay has sent a heartbeat for ${SILENT_SOON_SECONDS} s, and the server or its sessions are read-only, or it refuses a connection or a heartbeat that is tried in the relay's place`,
  needs: ["relays", "readOnly"],
  evaluate: (input) => {
    const { settings, facts } = input;
    const noWrites = unheard(input);
    if (noWrites === null) return [];
    const { reason, tried, remedy, refusesConnections } = noWrites;
    const says = saysOf(noWrites, input);
    const instances = facts.relays?.instances ?? [];
    const [last] = instances;
    return [
      {
        key: "read-only",
        word: says.word,
        severity: says.word === "unknown" ? "warn" : "fail",
        title: refusesConnections
          ? "Database refuses connections"
          : tried
            ? "Database refuses writes"
            : remedy
              ? "Database takes no writes"
              : "Database read-only",
        subject: reason,
        what: says.what,
        clauses: [allWaits(input)],
        diagnosis: says.diagnosis,
        nextStep: nextStepOf(noWrites),
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

function saysOf(
  { reason, leased, everywhere, refusesConnections }: NoWrites,
  { figures }: DiagnosisInput,
): Pick<CauseDraft, "word" | "what" | "diagnosis"> & { word: "unknown" | "not_delivering" } {
  if (refusesConnections)
    return {
      word: "not_delivering",
      what: `the database refuses new connections (${reason})`,
      diagnosis:
        "No relay has sent a heartbeat, and a relay without a connection cannot open one, so it is not known whether relays run. The console reads over connections that it opened before.",
    };
  if (!leased)
    return {
      word: "not_delivering",
      what: `the database takes no writes (${reason})`,
      diagnosis:
        "Nothing is published, and operators' actions are refused. Whether relays run cannot be seen, because their heartbeats are writes too.",
    };
  if (everywhere && figures.judged.oldestPending !== "pass" && !isShrinking(figures))
    return {
      word: "not_delivering",
      what: `the database refuses writes (${reason})`,
      diagnosis:
        "A relay holds this outbox and renews its lease, but its heartbeat is refused. Claims and marks are writes too, and messages are overdue.",
    };
  return {
    word: "unknown",
    what: `the database refuses the relay's heartbeat (${reason}), so what the relay does is not known`,
    diagnosis:
      "A relay holds this outbox and renews its lease. It may publish; its errors, its sink and its rates are not known here.",
  };
}

function nextStepOf({ reason, tried, remedy }: NoWrites): string {
  if (remedy !== undefined) return `${remedy} Running relays then resume by themselves. Nothing is lost until then.`;
  return tried
    ? `${storeRemedy(reason)} Running relays then resume by themselves. Nothing is lost until then.`
    : `After a failover, point the URL at the server that takes writes. Some hosts switch to read-only when the disk is full. \`${ourCommand("doctor")}\` names the setting and the statement that resets it. Nothing is lost until then.`;
}
