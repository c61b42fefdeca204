import { AppError } from "#domain/errors.ts";
import type { MessageAction, MessageState } from "#domain/message/message-state.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import { keepsError } from "./native-updates.ts";
import { ruledVerb } from "./ruled-verb.ts";

/**
 * Throws if the statement of an act wrote another number of rows than this session has locked: a trigger or a rewrite
 * rule dropped the change, or rows of tables that inherit from this one have the same key.
 */
export function requireWritten(rows: number | null, wanted = 1): void {
  if (rows === wanted) return;
  throw refused(
    (rows ?? 0) < wanted
      ? "a trigger or a rewrite rule of the table drops the change"
      : "several rows have this message's key, as a table that inherits from this one allows",
  );
}

interface Written {
  mapping: OutboxMapping;
  action: MessageAction;
  before: MessageState;
  after: MessageState | null;
}

/**
 * Throws if a message whose row was written is in the state from before: a trigger of the table wrote the old values
 * again.
 */
export function requireOtherState(written: Written): void {
  if (!isAsBefore(written)) return;
  const before = written.before.replace("_", " ");
  throw refused(`its row is ${before} after it, too, as if a trigger wrote the old values again`);
}

/** True if an act that changes a message's state in its own row would leave it as it was. */
export function isAsBefore({ mapping, action, before, after }: Written): boolean {
  // A library's retry may leave a message failed until its relay takes it.
  if (ruledVerb(mapping, action) && !isReadByColumns(mapping)) return false;
  const isFailed = before === "failed" && !keepsError(mapping);
  const isToLeave = action === "retry" ? isFailed || before === "dead" : action === "dead-letter";
  return isToLeave && before !== "unknown" && after === before;
}

/** Its marks are those of its own columns, and no library has another view of them. */
const isReadByColumns = ({ lifecycle }: OutboxMapping) => lifecycle.kind === "rules" && lifecycle.reading !== undefined;

/** The states from before of messages whose rows are written, by id. */
export function statesBefore(
  found: readonly { place: string; row: { id: string; state: MessageState } }[],
): ReadonlyMap<string, MessageState> {
  return new Map(found.flatMap(({ row, place }) => (place === "table" ? [[row.id, row.state] as const] : [])));
}

const refused = (why: string) =>
  new AppError(
    "conflict",
    `The table does not take this change: ${why}. Nothing was changed. Change the trigger, the rule or the tables, or act through the program that owns them.`,
  );
