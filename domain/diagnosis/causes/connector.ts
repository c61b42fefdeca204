import { ourCommand } from "#domain/text/our-command.ts";
import { formatBytes } from "../../format.ts";
import { judgeSlot } from "../../relay/slot-lag.ts";
import type { CauseDraft, DiagnosisInput, Rule } from "../cause.ts";
import type { ConnectorFacts, ConnectorTask, HidingSetting } from "../facts/connector.ts";
import { evidenceOf, pagePath, shortError } from "../phrases.ts";

type Draft = Pick<CauseDraft, "key" | "word" | "severity" | "what" | "diagnosis" | "nextStep"> & Partial<CauseDraft>;

export const connector: Rule = {
  rule: "connector",
  title: "Connector",
  definition:
    "The connector of Debezium that publishes the outbox has failed, is paused or stopped, is not there, or Kafka Connect does not report its state; or the server's settings keep rows from it. While it does not read, Postgres keeps the log for its slot; MySQL and MariaDB remove theirs by age.",
  threshold: () =>
    "the connector or one of its tasks does not run, or its state is not known; or a setting of the server keeps rows out of what it reads",
  needs: ["connector"],
  isComplete: ({ facts }) => facts.connectorSlot !== undefined && facts.hidingSettings !== undefined,
  evaluate: (input) => {
    const { connector: found } = input.facts;
    if (!found) return [];
    const { settings, facts } = input;
    return [hiddenRows(found, facts.hidingSettings ?? []), draftOf(found, input)]
      .filter((draft) => draft !== null)
      .map((draft) => ({
        title: "Connector",
        subject: found.connector,
        next: { label: "See the connector", path: pagePath("relays", settings.outbox) },
        messages: null,
        aggregates: null,
        since: null,
        clauses: [keptClause(input)],
        evidence: evidenceOf({
          Connector: found.connector,
          "Kafka Connect": found.address,
          State: found.state,
          Tasks: found.tasks.map(({ id, state }) => `${id}: ${state}`).join(", "),
          Slot: found.slot,
          "Log kept": bytes(facts.connectorSlot?.lagBytes),
          "WAL status": facts.connectorSlot?.walStatus,
        }),
        ...draft,
      }));
  },
};

/** Every state of Kafka Connect is RUNNING meanwhile, and the offset moves. */
function hiddenRows({ connector: name }: ConnectorFacts, settings: readonly HidingSetting[]): Draft | null {
  const [first] = settings;
  if (!first) return null;
  const named = settings.map((one) => `${one.name} is ${one.value} and must be ${one.right}`).join("; ");
  return {
    key: "hidden-rows",
    word: "not_delivering",
    severity: "fail",
    clauses: [],
    what: `the connector ${name} does not see every row: the server's ${named}`,
    diagnosis: `With ${settings.map((one) => `${one.name} ${one.value}, ${one.effect}`).join("; with ")}. Rows committed until it is corrected are in the table only, and Kafka Connect reports no failure.`,
    nextStep:
      "Correct the setting, in the server's option file too. Then find the rows of that time in the table and publish them once more; --to-relay would mark them as published instead.",
  };
}

function draftOf(found: ConnectorFacts, input: DiagnosisInput): Draft | null {
  if (found.problem) return unknownState(found, found.problem);
  const { connector: name, state, tasks } = found;
  const failed = tasks.find((task) => task.state === "FAILED");
  if (failed) return failedTask(found, failed);
  if (state === "FAILED") return failedConnector(found);
  if (state === "PAUSED" || state === "STOPPED") return halted(found, input);
  if (state !== "RUNNING" || tasks.some((task) => task.state === "RUNNING" || task.state === "RESTARTING")) return null;
  return {
    key: "no-task",
    word: "not_delivering",
    severity: "warn",
    what: `the connector ${name} runs, but none of its tasks does`,
    diagnosis: `Kafka Connect calls the connector RUNNING, and its tasks ${tasks.map((task) => task.state).join(", ") || "do not exist"}. Only a task publishes.`,
    nextStep:
      "This is normal for up to a minute after a Connect worker has started or left. If it lasts longer, restart the connector on Relays.",
  };
}

function unknownState(
  { connector: name, logKept }: ConnectorFacts,
  { kind, message }: NonNullable<ConnectorFacts["problem"]>,
): Draft {
  if (kind === "absent")
    return {
      key: "absent",
      word: "not_delivering",
      severity: "fail",
      what: `Kafka Connect has no connector named ${name}`,
      diagnosis: `${message} Nothing publishes this outbox, unless another connector does.`,
      nextStep: `Create it (\`${ourCommand("debezium")}\` prints its configuration), or correct relay.connector in outbox.yaml.`,
    };
  return {
    key: "unreachable",
    word: "unknown",
    severity: "warn",
    what: `the state of the connector ${name} cannot be read`,
    diagnosis: `${message} Whether the connector publishes is not known from here${logKept ? "; its slot shows whether it reads" : ""}.`,
    nextStep: "Check that Kafka Connect runs and that this console can reach its REST address.",
  };
}

function failedTask({ connector: name, logKept }: ConnectorFacts, { id, trace }: ConnectorTask): Draft {
  const error = trace === null ? "without a trace" : shortError(trace);
  return {
    key: "failed",
    word: "not_delivering",
    severity: "fail",
    saysSince: false,
    what: `task ${id} of the connector ${name} failed: ${error}`,
    diagnosis: `A task that failed publishes nothing and does not start again by itself. ${logKept ? "The log is kept for its slot until then." : BY_AGE}`,
    nextStep:
      "Fix the cause that the trace names, then restart the task on Relays. It continues where it had stopped; the last messages may be repeated.",
  };
}

function failedConnector({ connector: name, trace }: ConnectorFacts): Draft {
  return {
    key: "failed",
    word: "not_delivering",
    severity: "fail",
    saysSince: false,
    what: `the connector ${name} failed: ${trace === null ? "without a trace" : shortError(trace)}`,
    diagnosis: "Kafka Connect could not start the connector, so it has no task that publishes.",
    nextStep: "Correct its configuration or what the trace names, then restart the connector on Relays.",
  };
}

/** Of MySQL and MariaDB. */
const BY_AGE =
  "The server removes its log by age, whether it was read or not (binlog_expire_logs_seconds; 0: never). The connector never publishes what is gone before it resumes.";

/** A paused connector keeps its slot active: every state looks normal while the log grows. */
function halted({ connector: name, state, logKept }: ConnectorFacts, { facts }: DiagnosisInput): Draft {
  const { connectorSlot: slot } = facts;
  const word = state === "PAUSED" ? "paused" : "stopped";
  if (!logKept)
    return {
      key: word,
      word: "paused",
      severity: "warn",
      what: `the connector ${name} is ${word}`,
      diagnosis: `A ${word} connector publishes nothing. ${BY_AGE}`,
      nextStep: "Resume it on Relays when the reason is gone, before the server removes log that it has not read.",
    };
  const active = slot?.active ? " The slot still counts as active, so the database shows nothing unusual." : "";
  return {
    key: word,
    word: "paused",
    severity: slot?.found && judgeSlot(slot) === "fail" ? "fail" : "warn",
    what: `the connector ${name} is ${word}`,
    diagnosis: `A ${word} connector publishes nothing, and the server keeps the log for its slot until it resumes or the disk is full.${active}`,
    nextStep:
      "Resume it on Relays when the reason is gone. If it is to stay off, drop its slot: a full disk stops every writer.",
  };
}

function keptClause({ facts: { connectorSlot } }: DiagnosisInput): string | null {
  const kept = connectorSlot?.found ? bytes(connectorSlot.lagBytes) : null;
  return kept ? `its slot keeps ${kept} of log` : null;
}

function bytes(count: number | null | undefined): string | null {
  return count === null || count === undefined ? null : formatBytes(count);
}
