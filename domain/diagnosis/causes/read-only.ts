import { formatPlural } from "../../format.ts";
import type { Rule } from "../cause.ts";
import { allWaits, evidenceOf, formatInstant, pagePath } from "../phrases.ts";
import { aliveRelays } from "./no-relay-alive.ts";

export const readOnly: Rule = {
  rule: "read_only",
  title: "Database read-only",
  definition:
    "The database takes no writes, so no relay can claim, mark or say that it is alive. Relays that run go on as soon as it does.",
  threshold: () => "no relay has a heartbeat, and the server or its sessions are read-only",
  needs: ["relays", "readOnly"],
  evaluate: (input) => {
    const { settings, facts, figures } = input;
    // A fresh heartbeat was written, so the relays' database is another or takes writes.
    if (settings.mode !== "relay" || !facts.readOnly || aliveRelays(input).length > 0) return [];
    const instances = facts.relays?.instances ?? [];
    const [last] = instances;
    return [
      {
        key: "read-only",
        word: "not_delivering",
        severity: "fail",
        title: "Database read-only",
        subject: facts.readOnly,
        what: `the database takes no writes (${facts.readOnly})`,
        clauses: [allWaits(input)],
        diagnosis: `The relay's database takes no writes: ${facts.readOnly}. Nothing is published, and operators' actions are refused. Whether relays run cannot be seen, because their heartbeats are writes too.`,
        nextStep:
          "After a failover, let the URL name the server that takes writes. Some hosts switch to read-only when the disk is full. `npm run doctor` names the setting and the statement that resets it. Nothing is lost meanwhile.",
        next: { label: "See the relays", path: pagePath("relays", settings.outbox) },
        messages: figures.waiting,
        aggregates: null,
        since: last?.heartbeatAt ?? null,
        evidence: evidenceOf({
          Reason: facts.readOnly,
          "Known instances": instances.length > 0 ? formatPlural(instances.length, "instance") : "none",
          "Last heartbeat": last ? formatInstant(last.heartbeatAt) : null,
        }),
      },
    ];
  },
};
