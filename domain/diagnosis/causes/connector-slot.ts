import { formatBytes } from "../../format.ts";
import { judgeSlot } from "../../relay/slot-lag.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { ConnectorFacts, ConnectorSlot } from "../facts/connector.ts";
import { ageSecondsOf, evidenceOf, formatInstant, pagePath } from "../phrases.ts";

/** Connect stores offsets once a minute unless it is configured otherwise. */
const STALL_SECONDS = 180;

type Draft = Pick<CauseDraft, "key" | "word" | "severity" | "what" | "diagnosis" | "nextStep"> & Partial<CauseDraft>;

export const connectorSlot: Rule = {
  rule: "connector_slot",
  title: "Connector's position",
  definition:
    "The connector runs, but its slot is gone, lost, not read or far behind, or its offset does not move while rows arrive.",
  threshold: () =>
    `slot gone, lost or not active; 1 GB of log kept; rows arrive and the offset does not advance for ${STALL_SECONDS} s`,
  needs: ["connector", "connectorSlot"],
  evaluate: (input) => {
    const { connector, connectorSlot: slot } = input.facts;
    if (!connector) return [];
    const draft = (slot ? ofSlot(connector, slot) : null) ?? ofOffset(connector, input);
    if (!draft) return [];
    return [
      {
        title: "Connector's position",
        subject: connector.connector,
        next: { label: "See the connector", path: pagePath("relays", input.settings.outbox) },
        messages: null,
        aggregates: null,
        since: null,
        evidence: evidenceOf({
          Connector: connector.connector,
          Slot: slot?.slot,
          "Log kept": bytes(slot?.lagBytes),
          "Not confirmed": bytes(slot?.unconfirmedBytes),
          "WAL status": slot?.walStatus,
        }),
        ...draft,
      },
    ];
  },
};

/**
 * True unless another rule says already why nobody reads: the connector failed, is paused or stopped, or is not there.
 */
function shouldRead({ problem, state, tasks }: ConnectorFacts): boolean {
  if (problem) return problem.kind !== "absent";
  return state === "RUNNING" && tasks.some((task) => task.state === "RUNNING");
}

function ofSlot(found: ConnectorFacts, slot: ConnectorSlot): Draft | null {
  const { connector } = found;
  if (!slot.found)
    return {
      key: "gone",
      word: "not_delivering",
      severity: "fail",
      what: `this database has no slot ${slot.slot}, which the connector ${connector} should read`,
      diagnosis:
        "Rows committed while there was no slot are not in a new slot's log: a connector starts with what is committed after the slot was created.",
      nextStep:
        "Find the rows of that time in the table and publish them once more, with a snapshot of the connector or by our relay.",
    };
  if (slot.walStatus === "lost")
    return {
      key: "lost",
      word: "not_delivering",
      severity: "fail",
      what: `the server has removed log that the slot ${slot.slot} of the connector ${connector} needs`,
      diagnosis:
        "The slot is lost: the connector cannot continue from its position. Rows committed since are in the table only.",
      nextStep:
        "Drop the slot, let the connector create a new one, and publish the rows of that time once more, with a snapshot or by our relay.",
    };
  if (!shouldRead(found)) return null;
  if (!slot.active)
    return {
      key: "inactive",
      word: "not_delivering",
      severity: "fail",
      what: `nobody reads the slot ${slot.slot} of the connector ${connector}`,
      clauses: [keptClause(slot)],
      diagnosis: `${found.problem ? "The connector's state cannot be read, and" : "Kafka Connect calls the connector and its task RUNNING, but"} no session of the database reads the slot. A connector that starts, or reconnects, shows this for some seconds.`,
      nextStep:
        "If it lasts, read the log of the Connect worker, and check that the connector's configuration names this slot and this database.",
    };
  const status = judgeSlot(slot);
  if (status === "pass") return null;
  return {
    key: "behind",
    word: "at_risk",
    severity: status,
    what: `the connector ${connector} is behind`,
    clauses: [keptClause(slot)],
    diagnosis:
      "The connector reads more slowly than the database writes, or does not confirm what it has read because its tables are quiet and it has no heartbeat.",
    nextStep:
      "If its tables are quiet, set heartbeat.interval.ms and heartbeat.action.query. Otherwise check the topic and the load of the Connect worker. A full disk stops every writer.",
  };
}

function ofOffset({ connector, stalledSince }: ConnectorFacts, { asOf }: DiagnosisInput): Draft | null {
  if (stalledSince === null || ageSecondsOf(stalledSince, asOf) < STALL_SECONDS) return null;
  return {
    key: "stalled",
    word: "late",
    severity: "warn",
    what: `rows arrive and the offset of the connector ${connector} has not moved`,
    since: stalledSince,
    diagnosis: `Every state looks normal. Connect stores offsets about once a minute, and this one is the same as at ${formatInstant(stalledSince)}.`,
    nextStep:
      "Read the log of the Connect worker: the broker may refuse records, or the connector's filters or publication may leave this table out.",
  };
}

function keptClause({ lagBytes }: ConnectorSlot): string | null {
  return lagBytes === null ? null : `the server keeps ${formatBytes(lagBytes)} of log for it`;
}

function bytes(count: number | null | undefined): string | null {
  return count === null || count === undefined ? null : formatBytes(count);
}
