import type { Pool, PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { LeftBehind } from "#domain/diagnosis/facts/table.ts";
import { leftIn } from "./left-in.ts";

/**
 * An earlier table of the outbox that is there under another name and holds messages that were not sent. While its mapping is
 * not accepted, a table that has taken the name stops the outbox; from then on the accepted one is remembered here.
 * Index: as leftIn.
 */
export async function readReplaced(client: PoolClient, writes: () => Pool, ref: OutboxRef): Promise<LeftBehind | null> {
  const { mapping, name: outbox, accepted, storeSide } = ref;
  if (!accepted || !storeSide || mapping.lifecycle.kind === "log") return null;
  const { rows } = await client.query<{ earlier: string[] }>(
    "SELECT earlier_tables AS earlier FROM outbox_console.mapping_fingerprint WHERE outbox = $1 AND earlier_tables IS NOT NULL",
    [outbox],
  );
  if (!rows[0]) return null;
  for (const oid of rows[0].earlier) {
    const left = await leftIn(client, ref, { oid, how: "renamed" });
    if (left !== null && left.messages !== 0) return left;
  }
  await forget(writes(), outbox);
  return null;
}

/** The next reading tries again if it fails: the server may take no writes. */
async function forget(writes: Pool, outbox: string): Promise<void> {
  await writes
    .query("UPDATE outbox_console.mapping_fingerprint SET earlier_tables = NULL WHERE outbox = $1", [outbox])
    .catch(() => undefined);
}
