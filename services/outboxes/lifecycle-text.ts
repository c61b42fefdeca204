import { claimText } from "#db/shapes/lifecycle/claim-marks.ts";
import type { MappedColumn, OutboxMapping } from "#db/stores/port/mapping.ts";

/** How a table marks published messages, as sentences. */
export function lifecycleText(mapping: OutboxMapping): string {
  const { lifecycle } = mapping;
  const threshold = `${thresholdText(mapping)}${claimText(mapping.claim)}`;
  const named = (column: MappedColumn) => column.name;
  switch (lifecycle.kind) {
    case "timestamp":
      return `Published when ${named(lifecycle.column)} is set.${threshold}`;
    case "flag":
      return `Published when ${named(lifecycle.column)} is true.${threshold}`;
    case "status":
      return `${publishedText(named(lifecycle.column), lifecycle.published)}${bareText(lifecycle)}${marksText(lifecycle)}${threshold}`;
    case "delete":
      return "Existing rows are unpublished; published rows are deleted.";
    case "log":
      return "No row says whether it was published: the relay's position in the log does. Failed, waiting and dead messages are recorded.";
    case "rules":
      if (lifecycle.reading !== undefined) return lifecycle.reading;
      return `As ${lifecycle.owner} reads its own table; ${lifecycle.owner} publishes the messages.`;
    case "untold":
      return `No row says whether it was sent: ${lifecycle.owner} keeps that in ${lifecycle.where}.`;
    case "unknown":
      return "No column shows whether a message was published: every row is in state unknown.";
  }
}

/** Most values that are named. */
const NAMED = 4;

function publishedText(column: string, words: readonly string[]): string {
  if (words.length === 0) return `No value of ${column} is known to mean published.`;
  if (words.length <= NAMED) return `Published when ${column} is ${words.join(", ")}.`;
  const shown = words.slice(0, NAMED - 1);
  return `Published when ${column} is ${shown.join(", ")} or one of ${words.length - shown.length} more values.`;
}

type Status = Extract<OutboxMapping["lifecycle"], { kind: "status" }>;

const bareText = ({ column, pending }: Status): string =>
  pending.includes(null) ? ` New while ${column.name} is NULL.` : "";

function thresholdText({ deadAttempts, attemptsLimit }: OutboxMapping): string {
  const own = attemptsLimit ? `as many attempts as ${attemptsLimit.name} says` : null;
  const most =
    deadAttempts === null ? own : [`${deadAttempts} attempts`, own].filter((one) => one !== null).join(", or ");
  return most === null ? "" : ` Dead from ${most}.`;
}

const MEANING = {
  dead: "Dead when",
  failed: "Failed when",
  withdrawn: "Of an unknown state when",
  doubted: "Of an unknown state and not published when",
} as const;

/** Sentences about columns that refine the status. */
function marksText({ marks = [] }: Status): string {
  return marks.map(({ kind, says }) => ` ${MEANING[kind]} ${says}.`).join("");
}
