import type { OrphanedMessage } from "#db/stores/port/relay/lease.ts";
import { rfc3339 } from "../../connection/instant.ts";
import type { Session } from "../../connection/session.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { textList } from "../literals.ts";
import { ownName, type RelayContext } from "../relay-context.ts";

/**
 * Ends claims without a live term and returns their messages. Never ends claims of a live owner, and waits for none of
 * their locks: a plain read chooses the claims, and no claim is added while the caller holds the outbox's lock.
 * Index: claim_outbox_idx; primary keys of lease and claim. Race: a settle that holds its claim; see `acquireLease`.
 */
export async function endOrphanedClaims({ own, outbox }: RelayContext, session: Session): Promise<OrphanedMessage[]> {
  const [claim, lease] = [own.claim, own.lease].map(ownName);
  const live = `SELECT 1 FROM ${lease} l WHERE l.outbox = c.outbox AND l.owner = c.owner AND l.epoch = c.epoch AND l.until > UTC_TIMESTAMP(6)`;
  const orphaned = await session.rows(
    `SELECT c.token FROM ${claim} c WHERE c.outbox = ${quoteLiteral(outbox)} AND NOT EXISTS (${live})`,
  );
  if (orphaned.length === 0) return [];
  const chosen = `token IN ${textList(orphaned.map(([token]) => token ?? ""))}`;
  const [ended] = await session.script([
    `SELECT message_ids, alone, owner, started_at FROM ${claim} WHERE ${chosen} ORDER BY token FOR UPDATE`,
    `DELETE FROM ${claim} WHERE ${chosen}`,
  ]);
  return (ended?.rows ?? []).flatMap(([ids, alone, owner, at]) =>
    (JSON.parse(ids ?? "[]") as string[]).map((id) => ({
      id,
      alone: alone === "1",
      owner: owner ?? "",
      startedAt: rfc3339(at ?? ""),
    })),
  );
}
