import { createHash } from "node:crypto";
import type { MessageRow } from "../../port/message-row.ts";
import { withDecision } from "../../port/seen-version.ts";
import { attemptColumns, errorOf } from "../../shared/act/decision.ts";
import { canonical } from "../items/item.ts";
import { PARTITIONS, queryRecords } from "../own-table/own-table.ts";
import type { Room } from "../room.ts";
import type { FoundMessage } from "./find-message.ts";

/**
 * Digest of what an operator decides on when a message fails: the item's attributes that no attempt writes, its error,
 * and the last act on it, so that a decision of before that act never counts after it. Null of a message that is not in
 * its table, or without the store side.
 */
export async function readDecision(
  { own, ref }: Pick<Room, "own" | "ref">,
  { row, item, place, restored }: FoundMessage,
): Promise<string | null> {
  if (!ref.storeSide || place !== "table" || !item) return null;
  const written = attemptColumns(ref.mapping);
  const kept = Object.fromEntries(Object.entries(item).filter(([name]) => !written.includes(name)));
  // An item of a bulk operation has no audit entry of its own; the record of its return tells it.
  const { records } = await queryRecords(own, { pk: PARTITIONS.auditOf(row.id), newestFirst: true, limit: 1 });
  const seen = [canonical(kept), errorOf(row), records[0]?.sk ?? "", restored?.v ?? ""].join("\n");
  return createHash("sha256").update(seen).digest("hex").slice(0, 24);
}

/** The row of a message; the version of a failed one says as well what an operator decides on. */
export async function decidedRow(room: Pick<Room, "own" | "ref">, found: FoundMessage): Promise<MessageRow> {
  const { row } = found;
  if (row.state !== "failed") return row;
  return { ...row, version: withDecision(row.version, await readDecision(room, found)) };
}
