import type { Pool, PoolClient } from "pg";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { LeftBehind } from "#domain/diagnosis/facts/table.ts";
import { readServerIdentity } from "../connection/server-identity.ts";
import { noteServer, readEarlierTables } from "../own-schema/mapping-fingerprints.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import { leftIn } from "./left-in.ts";

/**
 * An earlier table of the outbox that is there under another name and holds messages that were not sent. While its
 * mapping is not accepted, a table that has taken the name stops the outbox; from then on the accepted one is
 * remembered here. Index: as leftIn.
 */
export async function readReplaced(client: PoolClient, writes: () => Pool, ref: OutboxRef): Promise<LeftBehind | null> {
  const { mapping, name: outbox, accepted, storeSide } = ref;
  if (!accepted || !storeSide || mapping.lifecycle.kind === "log") return null;
  const kept = await readEarlierTables(client, outbox);
  if (kept === null || (kept.server !== null && kept.oids.length === 0)) return null;
  const server = await readServerIdentity(client);
  if (kept.server === null) await remember(writes(), ref, { server, oid: accepted.key });
  // A restored dump brings oids along that belong to other tables here.
  if (kept.server === null || kept.server !== server) return null;
  let unknown: LeftBehind | null = null;
  for (const oid of kept.oids) {
    const left = await leftIn(client, ref, { oid, how: "renamed" });
    if (left === null || left.messages === 0) continue;
    if (left.messages !== null) return left;
    unknown ??= left;
  }
  if (unknown === null) await forget(writes(), outbox);
  return unknown;
}

/** The next reading tries again if one of these fails: the server may take no writes. */
async function remember(
  writes: Pool,
  { name, mapping }: OutboxRef,
  of: { server: string | null; oid: string },
): Promise<void> {
  const { server, oid } = of;
  if (server === null) return;
  const { rows } = await writes
    .query<{ here: boolean }>("SELECT $1::regclass::oid::text = $2 AS here", [quoteTable(mapping.table), oid])
    .catch(() => ({ rows: [] }));
  if (rows[0]?.here) await noteServer(writes, name, { server, oid }).catch(() => undefined);
}

async function forget(writes: Pool, outbox: string): Promise<void> {
  await writes
    .query("UPDATE outbox_console.mapping_fingerprint SET earlier_tables = NULL WHERE outbox = $1", [outbox])
    .catch(() => undefined);
}
