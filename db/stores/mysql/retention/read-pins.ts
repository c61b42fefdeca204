import { and, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { RetentionRule } from "#db/stores/port/retention.ts";
import { PINS } from "#db/stores/shared/retention/retention-words.ts";
import type { Session } from "../connection/session.ts";
import { NOW } from "../tables/column-values.ts";

/** Of these messages, those that something still needs, with the reason as a clause. */
export async function readPins(
  session: Session,
  ref: OutboxRef,
  rule: RetentionRule,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const pins = new Map<string, string>();
  if (ids.length === 0) return pins;
  const { db, own } = session;
  const wanted = new Set(ids);
  const pin = (found: readonly string[], reason: string) => {
    for (const id of found) if (wanted.has(id) && !pins.has(id)) pins.set(id, reason);
  };
  const claims = await db.select({ ids: own.claim.messageIds }).from(own.claim).where(eq(own.claim.outbox, ref.name));
  pin(
    claims.flatMap((claim) => claim.ids),
    PINS.claim,
  );
  for (const name of [
    "suspect",
    "pause",
    "restored",
    ...(rule.how === "archive" ? (["archive"] as const) : []),
  ] as const) {
    const table = own[name];
    const rows = await session.rows(
      sql`SELECT ${table.messageId} FROM ${table} WHERE ${and(eq(table.outbox, ref.name), inArray(table.messageId, [...ids]))}`,
    );
    pin(
      rows.map(([id]) => id ?? ""),
      PINS[name],
    );
  }
  pin(await targetsOf(session, ref), PINS.operation);
  pin(await itemsOf(session, ref, ids), PINS.operation);
  return pins;
}

/** Targets of operations that are not finished. A record may have a hundred outcomes: only the ids of those travel. */
async function targetsOf(session: Session, ref: OutboxRef): Promise<string[]> {
  const { operation } = session.own;
  const rows = await session.rows(
    sql`SELECT JSON_EXTRACT(${operation.result}, '$.outcomes[*].id') FROM ${operation}
      WHERE ${operation.outbox} = ${ref.name} AND ${operation.at} > ${NOW} - INTERVAL 30 DAY
        AND JSON_UNQUOTE(JSON_EXTRACT(${operation.result}, '$.finished')) = 'false'`,
  );
  return rows.flatMap(([ids]) => (ids ? (JSON.parse(ids) as string[]) : []));
}

/** Of these messages, the items of bulk operations that have not ended. */
async function itemsOf({ db, own }: Session, ref: OutboxRef, ids: readonly string[]): Promise<string[]> {
  const { operation, operationItem } = own;
  const rows = await db
    .select({ id: operationItem.messageId })
    .from(operationItem)
    .innerJoin(operation, eq(operation.id, operationItem.operationId))
    .where(
      and(
        inArray(operationItem.messageId, [...ids]),
        eq(operation.outbox, ref.name),
        isNotNull(operation.state),
        isNull(operation.endedAt),
      ),
    );
  return rows.map(({ id }) => id);
}
