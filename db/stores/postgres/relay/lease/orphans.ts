import type { OrphanedMessage } from "#db/stores/port/relay/lease.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";

/**
 * Ends claims without a live term and returns their messages. Never ends claims of a live owner.
 * Index: claim_outbox_idx; primary key of lease. Race: see `acquireLease`, in whose transaction this runs.
 */
const END_CLAIMS = `
WITH ended AS (
  DELETE FROM outbox_console.claim c WHERE c.outbox = $1 AND NOT EXISTS (SELECT FROM outbox_console.lease l
    WHERE l.outbox = c.outbox AND l.owner = c.owner AND l.epoch = c.epoch AND l.until > clock_timestamp())
  RETURNING c.message_ids, c.alone, c.owner, c.started_at)
SELECT unnest(message_ids), alone::text, owner, started_at::text FROM ended`;

export async function endOrphanedClaims(session: RelaySession, outbox: string): Promise<OrphanedMessage[]> {
  const { rows } = await session.query("lease-end-claims", END_CLAIMS, [outbox]);
  return rows.map(([id, alone, owner, at]) => ({
    id: id ?? "",
    alone: alone === "true",
    owner: owner ?? "",
    startedAt: at ?? "",
  }));
}
