import type { Pool, PoolClient } from "pg";
import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import { fromStored, type StoredFingerprint, toStored } from "../catalog/stored-fingerprint.ts";

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
    "INSERT INTO outbox_console.mapping_fingerprint (outbox, fingerprint, accepted_by) VALUES ($1, $2, $3) ON CONFLICT (outbox) DO NOTHING",
    [entry.outbox, JSON.stringify(toStored(entry.fingerprint)), entry.by],
  );
  const { rows } = await db.query<{ fingerprint: StoredFingerprint }>(
    "SELECT fingerprint FROM outbox_console.mapping_fingerprint WHERE outbox = $1",
    [entry.outbox],
  );
  return rows[0] ? fromStored(rows[0].fingerprint) : entry.fingerprint;
}

/**
 * Stores an accepted mapping, replacing any earlier one. The table of that one is remembered if it was another: messages may
 * wait in it. To accept the same table once more ends that.
 */
export async function replaceFingerprint(
  db: Queryable,
  entry: { outbox: string; fingerprint: MappingFingerprint; by: string },
): Promise<void> {
  await db.query(
    `INSERT INTO outbox_console.mapping_fingerprint AS m (outbox, fingerprint, accepted_by) VALUES ($1, $2, $3)
     ON CONFLICT (outbox) DO UPDATE SET fingerprint = excluded.fingerprint, accepted_by = excluded.accepted_by, accepted_at = clock_timestamp(), partitions = NULL,
       earlier_tables = CASE WHEN m.fingerprint->'oid' <> excluded.fingerprint->'oid' THEN (m.fingerprint->>'oid') || coalesce(m.earlier_tables, '{}') END`,
    [entry.outbox, JSON.stringify(toStored(entry.fingerprint)), entry.by],
  );
}
