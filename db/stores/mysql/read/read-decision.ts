import { and, eq, max, sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { attemptColumns, errorOf } from "#db/stores/shared/act/decision.ts";
import type { FoundMessage } from "#db/stores/shared/read/found-message.ts";
import type { Session } from "../connection/session.ts";
import { textOf } from "../tables/column-values.ts";
import { keyArrays } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { keyIs } from "./find-message.ts";

/**
 * Digest of what an operator decides on when a message fails: the row's mapped columns that no attempt writes, its
 * error, and the last act on it, so that a decision of before that act never counts after it. Null of a message that is
 * not in its table, or without the store side.
 */
export async function readDecision(session: Session, ref: OutboxRef, found: FoundMessage): Promise<string | null> {
  const { mapping, name } = ref;
  const { id } = found.row;
  const keys = keyArrays(mapping, id);
  if (!ref.storeSide || found.place !== "table" || !keys) return null;
  const { db, own } = session;
  const { audit, operation, operationItem } = own;
  const acts = db
    .select({ last: max(audit.id) })
    .from(audit)
    .where(and(eq(audit.outbox, name), eq(audit.messageId, id)));
  const items = db
    .select({ last: max(operationItem.actedAt) })
    .from(operationItem)
    .innerJoin(operation, eq(operation.id, operationItem.operationId))
    .where(and(eq(operationItem.messageId, id), eq(operation.outbox, name)));
  const outbox = outboxTable(mapping);
  const written = new Set(attemptColumns(mapping));
  const mapped: MappedColumn[] = [...mapping.primaryKey, ...Object.values(mapping.columns)];
  const kept = new Map(mapped.filter((column) => !written.has(column.name)).map((column) => [column.name, column]));
  const texts = [...kept.values()].map((column) => textOf(outbox, column));
  const parts = [...texts, sql`${errorOf(found.row)}`, sql`(${acts})`, sql`(${items})`].map(
    (text) => sql`QUOTE(${text})`,
  );
  const [row] = await db
    .select({ digest: sql<string>`SHA1(CONCAT(${sql.join(parts, sql`, `)}))` })
    .from(outbox.rows)
    .where(keyIs(mapping, keys));
  return row?.digest ?? null;
}
