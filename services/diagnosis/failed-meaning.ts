import type { Lifecycle, OutboxMapping } from "#db/stores/port/mapping.ts";
import type { Condition } from "#db/stores/port/table-rules.ts";
import type { FailedMeaning } from "#domain/diagnosis/cause.ts";
import type { OutboxHandle } from "../runtime.ts";

/**
 * Whether failed messages are tried again. Our relay tries them again; in other tables a column for attempts or for the
 * time of the next attempt shows it, unless a word or a mark of failure may mean that the message was given up.
 */
export function failedMeaning({ config, mapping }: Pick<OutboxHandle, "config" | "mapping">): FailedMeaning {
  if (config.mode === "relay") return "retried";
  if (mapping.failedMeans) return mapping.failedMeans;
  const { attempts, availableAt } = mapping.columns;
  return (attempts || availableAt) && !mayBeFinal(mapping) ? "retried" : "unknown";
}

/** Failed by more than a count, where nothing else of the row says that it was given up. */
function mayBeFinal({ lifecycle, columns, deadAttempts, attemptsLimit }: OutboxMapping): boolean {
  if (deadAttempts !== null || attemptsLimit) return false;
  if (lifecycle.kind === "status") return isFinalWord(lifecycle);
  if (lifecycle.kind !== "rules" || lifecycle.states.dead) return false;
  const { failed } = lifecycle.states;
  return failed !== undefined && marksIn(failed).some((name) => name !== columns.lastError?.name);
}

function isFinalWord({ failed, dead, guessed, shown, marks = [] }: Extract<Lifecycle, { kind: "status" }>): boolean {
  const isShown = (word: string) => guessed !== true || shown?.includes(word) === true;
  if (dead.some(isShown) || marks.some(({ kind }) => kind === "dead")) return false;
  return failed.some((word) => isShown(word) && !AGAIN.test(word)) || marks.some(({ kind }) => kind === "failed");
}

/** A word that says that another attempt follows. */
const AGAIN = /retr|reint|retent|wiederhol/i;

/** Columns of a condition, without those that count. */
function marksIn<Column extends { name: string }>(condition: Condition<Column>): string[] {
  if ("all" in condition) return condition.all.flatMap(marksIn);
  if ("any" in condition) return condition.any.flatMap(marksIn);
  if ("not" in condition) return marksIn(condition.not);
  if ("atLeast" in condition || "atLimit" in condition || !("column" in condition)) return [];
  return [condition.column.name];
}
