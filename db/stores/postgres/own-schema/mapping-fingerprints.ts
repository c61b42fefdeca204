import type { Pool, PoolClient } from "pg";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { fromStored, type StoredFingerprint, toStored } from "../catalog/stored-fingerprint.ts";
import { readServerIdentity } from "../connection/server-identity.ts";

type Queryable = Pick<Pool | PoolClient, "query">;

/** Accepted mappings by outbox; empty if the user may not read them. Index: primary key. */
export async function readFingerprints(db: Queryable): Promise<Map<string, MappingFingerprint>> {
  const readable = await db.query<{ readable: boolean }>(
    "SELECT has_table_privilege('outbox_console.mapping_fingerprint', 'SELECT') AS readable",
  );
  if (!readable.rows[0]?.readable) return new Map();
  const { rows } = await db.query<{ outbox: string; fingerprint: StoredFingerprint }>(
    "SELECT outbox, fingerprint FROM outbox_console.mapping_fingerprint",
  );
  return new Map(rows.map(({ outbox, fingerprint }) => [outbox, fromStored(fingerprint)]));
}

/**
 * Stores the mapping of a first start unless one is stored; returns the stored one.
 * Race: of two first starts with different mappings the first one's stays, and the other gets it back.
 */
export async function keepFirstFingerprint(
  db: Queryable,
  entry: { outbox: string; fingerprint: MappingFingerprint; by: string },
): Promise<MappingFingerprint> {
  await db.query(
    "INSERT INTO outbox_console.mapping_fingerprint (outbox, fingerprint, accepted_by, server) VALUES ($1, $2, $3, $4) ON CONFLICT (outbox) DO NOTHING",
    await valuesOf(db, entry),
  );
  const { rows } = await db.query<{ fingerprint: StoredFingerprint }>(
    "SELECT fingerprint FROM outbox_console.mapping_fingerprint WHERE outbox = $1",
    [entry.outbox],
  );
  return rows[0] ? fromStored(rows[0].fingerprint) : entry.fingerprint;
}

/**
 * Stores an accepted mapping, replacing any earlier one. The table of that one is remembered if it was another:
 * messages may wait in it. To accept the same table once more ends that.
 */
export async function replaceFingerprint(
  db: Queryable,
  entry: { outbox: string; fingerprint: MappingFingerprint; by: string },
): Promise<void> {
  await db.query(
    `INSERT INTO outbox_console.mapping_fingerprint AS m (outbox, fingerprint, accepted_by, server) VALUES ($1, $2, $3, $4)
     ON CONFLICT (outbox) DO UPDATE SET fingerprint = excluded.fingerprint, accepted_by = excluded.accepted_by, accepted_at = clock_timestamp(), partitions = NULL,
       server = excluded.server, earlier_tables = CASE WHEN m.server = excluded.server AND m.fingerprint->'oid' <> excluded.fingerprint->'oid'
         THEN (m.fingerprint->>'oid') || coalesce(m.earlier_tables, '{}') END`,
    await valuesOf(db, entry),
  );
}

/** Parameters of an INSERT. */
async function valuesOf(
  db: Queryable,
  { outbox, fingerprint, by }: { outbox: string; fingerprint: MappingFingerprint; by: string },
): Promise<(string | null)[]> {
  return [outbox, JSON.stringify(toStored(fingerprint)), by, await readServerIdentity(db)];
}

/**
 * Tables that had the name when earlier mappings were accepted, by their oids, and where these hold; null without a
 * mapping.
 */
export async function readEarlierTables(
  db: Queryable,
  outbox: string,
): Promise<{ oids: string[]; server: string | null } | null> {
  const { rows } = await db.query<{ oids: string[] | null; server: string | null }>(
    "SELECT earlier_tables AS oids, server FROM outbox_console.mapping_fingerprint WHERE outbox = $1",
    [outbox],
  );
  return rows[0] ? { oids: rows[0].oids ?? [], server: rows[0].server } : null;
}

/** Notes the server of a mapping that was accepted before servers were noted, while its table is here. */
export async function noteServer(
  db: Queryable,
  outbox: string,
  { server, oid }: { server: string; oid: string },
): Promise<void> {
  await db.query(
    "UPDATE outbox_console.mapping_fingerprint SET server = $2 WHERE outbox = $1 AND server IS NULL AND fingerprint->>'oid' = $3",
    [outbox, server, oid],
  );
}
