import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { ScanRefused } from "#db/stores/port/scan-refused.ts";
import type { FreshMarks } from "#domain/diagnosis/facts/connector.ts";
import type { Session } from "../connection/session.ts";
import { recentRows } from "../relay/lease/foreign-relay.ts";
import { wasChangedOver } from "../relay/lease/was-changed-over.ts";
import { readTableFacts } from "../relay/table-facts.ts";
import { instantExpression } from "../tables/mapping-sql.ts";

const MOST = 1000;

/**
 * Rows marked as published within the last minute. Null without a column of that time, and for a minute after a
 * change-over, which marks rows itself. Index: on the publication time, or on the order. Throws ScanRefused if neither
 * serves.
 */
export async function readFreshMarks(session: Session, { name, mapping, storeSide }: OutboxRef) {
  const column = mapping.columns.publishedAt;
  if (!column?.time) return null;
  if (storeSide && (await wasChangedOver(session, name))) return null;
  const facts = await readTableFacts(session, mapping);
  const recent = recentRows({ mapping }, facts, { column, windowMs: 60_000 });
  if (recent === null) throw new ScanRefused(`No index on ${column.name} finds rows that were marked lately.`);
  const [found] = await session.rows(
    `SELECT COUNT(*), DATE_FORMAT(MAX(fresh.at), '%Y-%m-%dT%H:%i:%s.%fZ')
     FROM (SELECT ${instantExpression(column, "o")} AS at FROM ${recent} LIMIT ${MOST}) fresh`,
  );
  const messages = Number(found?.[0] ?? 0);
  return { messages, capped: messages === MOST, column: column.name, lastAt: found?.[1] ?? null } satisfies FreshMarks;
}
