import { AppError } from "#domain/errors.ts";
import { type MessageState, transitionFor } from "#domain/message/message-state.ts";
import { isAsBefore } from "../../shared/act/require-written.ts";
import type { OwnRecord } from "../own-table/own-table.ts";
import { rowOfItem } from "../read/message-row.ts";
import type { Deed, VerbContext } from "./verb.ts";

/**
 * The state in which an action leaves a message, read from its item as it will be; null if it is gone. Throws conflict
 * for a retry or a dead-letter after which the item would still be what it was: the mapping does not see the change.
 */
export function stateAfter({ room, request, found, at, v }: VerbContext, { stays }: Deed): MessageState | null {
  const { to } = transitionFor(request.action);
  if (to === "gone") return null;
  if (!stays) return to === "previous" ? (found.archived?.doc.stateBefore ?? null) : to;
  const { item, beside } = stays;
  const recordOf = <Doc>(doc: Doc | null | undefined): OwnRecord<Doc> | undefined =>
    doc ? { sk: found.row.id, doc, v } : undefined;
  const ours = { dead: recordOf(beside.dead), delivery: recordOf(beside.delivery) };
  const { state } = rowOfItem(room.ref, item, ours, at);
  const { mapping, name } = room.ref;
  if (isAsBefore({ mapping, action: request.action, before: found.row.state, after: state }))
    throw new AppError(
      "conflict",
      `By the mapping of outbox ${name} its item would be ${state.replace("_", " ")} after it, too. Nothing was changed. Correct the mapping, or act through the program that owns the table.`,
    );
  return state;
}
