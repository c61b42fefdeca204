import type { Pool, PoolClient } from "pg";
import type { MarkRequest } from "#db/stores/port/handover.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { AppError } from "#domain/errors.ts";
import { leaveClaims } from "../act/leave-claims.ts";
import { requireAcceptedTable } from "../act/require-accepted-table.ts";
import type { RelaySession } from "../connection/sessions.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { readPauseRow } from "../own-schema/pauses.ts";
import { writeAudit } from "../own-schema/write-audit.ts";
import { markByKey } from "../relay/settle/mark-published.ts";
import { lockOutbox } from "../tables/outbox-lock.ts";

/** Marks messages that are known to be published, as a settle does. See OutboxHandover.mark. */
export function markSent(pool: Pool, ref: OutboxRef, request: MarkRequest): Promise<number> {
  const { ids, actor, action, reason, detail } = request;
  return withWriteTransaction(pool, async (client) => {
    // No claim can begin until the commit, and a pause that is there now holds until then.
    await lockOutbox(client, ref.name, "exclusive");
    await requirePause(client, ref.name);
    await requireAcceptedTable(client, ref);
    const marked = await markByKey(sessionOf(client), ref.mapping, ids);
    await forget(client, ref, [...marked]);
    await writeAudit(client, { actor, action, outbox: ref.name, outcome: "done", reason, detail });
    return marked.size;
  });
}

async function requirePause(client: PoolClient, outbox: string): Promise<void> {
  if ((await readPauseRow(client, outbox)) !== null) return;
  throw new AppError(
    "wrong_state",
    `The pause of outbox ${outbox} was ended, so its relay may publish: nothing is marked.`,
  );
}

/** What our own schema keeps of unsent messages. Indexes: primary keys of delivery and suspect. */
async function forget(client: PoolClient, ref: OutboxRef, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await leaveClaims(client, ref, ids);
  for (const table of ["delivery", "suspect"])
    await client.query(`DELETE FROM outbox_console.${table} WHERE outbox = $1 AND message_id = ANY ($2::text[])`, [
      ref.name,
      ids,
    ]);
}

function sessionOf(client: PoolClient): RelaySession {
  return {
    client,
    async query(_name, text, values) {
      const result = await client.query<(string | null)[]>({ text, values: [...values], rowMode: "array" });
      return { rows: result.rows, rowCount: result.rowCount ?? 0 };
    },
    script: () => Promise.reject(new Error("A mark needs no script.")),
  };
}
