import { AppError } from "#domain/errors.ts";
import type { MessageAction } from "#domain/message/message-state.ts";
import type { MappedColumn, OutboxMapping, TableName } from "../../port/mapping.ts";
import type { VerbRule } from "../../port/table-rules.ts";

const UNTOLD = (owner: string, where: string) =>
  `No row of this table says whether it was sent: ${owner} keeps that in ${where}. Nothing that is written here would change it.`;

/** The rule in a library's file for an action on a row of its table; null for any other table. */
export function ruledVerb(
  { lifecycle }: OutboxMapping,
  action: MessageAction,
): VerbRule<MappedColumn, TableName> | null {
  if (lifecycle.kind === "untold")
    return action === "retry" || action === "dead-letter" ? { refuse: UNTOLD(lifecycle.owner, lifecycle.where) } : null;
  if (lifecycle.kind !== "rules" || action === "purge") return null;
  return lifecycle.verbs[action] ?? null;
}

/** Why a library's table does not take an action, as sentences; null if it does. */
export function ruledRefusal(mapping: OutboxMapping, action: MessageAction): string | null {
  const rule = ruledVerb(mapping, action);
  return rule !== null && "refuse" in rule ? rule.refuse : null;
}

/** What an action does, as the library's file says; null if it does not say. */
export function ruledEffect(mapping: OutboxMapping, action: MessageAction): string | null {
  const rule = ruledVerb(mapping, action);
  return rule !== null && "does" in rule ? rule.does : null;
}

/**
 * Throws wrong_state if the library's table does not allow the action. Messages in our own tables are not checked,
 * unless the action puts them back: a retry of a dead letter is then refused like `restore`.
 */
export function requireRuledVerb(mapping: OutboxMapping, action: MessageAction, place: string): void {
  const putsBack = action === "retry" && place === "dead_letter";
  const asked = place === "table" || action === "restore" ? action : putsBack ? "restore" : null;
  const refusal = asked && ruledRefusal(mapping, asked);
  if (refusal !== null) throw new AppError("wrong_state", refusal);
}
