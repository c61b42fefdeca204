import { sql } from "drizzle-orm";
import type { Session } from "../../connection/session.ts";

/** True for a minute after a change-over, which marks rows as published and writes its audit row after them. */
export async function wasChangedOver(session: Session, outbox: string): Promise<boolean> {
  const { audit } = session.own;
  const found = await session.rows(
    sql`SELECT 1 FROM ${audit} WHERE ${audit.outbox} = ${outbox} AND ${audit.action} = 'relay.change_over'
      AND ${audit.at} > UTC_TIMESTAMP(6) - INTERVAL 70 SECOND LIMIT 1`,
  );
  return found.length > 0;
}
