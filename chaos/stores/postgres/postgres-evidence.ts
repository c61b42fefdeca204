import type { Pool } from "pg";
import type { DeadRow, InstanceRow, LedgerRow, StoreEvidence } from "../../judge/evidence.ts";
import { OUTBOX } from "../../world/relay-config.ts";
import { TABLE } from "./postgres-tables.ts";

const LEDGER = "SELECT id::text, seq::float8, aggregate, n, scheduled FROM chaos_ledger ORDER BY seq";
const ROWS = `SELECT id::text, published_at IS NOT NULL AS published FROM ${TABLE}`;
const DEAD = `
SELECT message_id AS id, dead_by AS by, last_error_code AS code, false AS stayed FROM outbox_console.dead_letter WHERE outbox = $1
UNION ALL
SELECT message_id, dead_by, last_error_code, true FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NOT NULL`;
const ARCHIVED =
  "SELECT message_id AS id, published_at IS NOT NULL AS published FROM outbox_console.archive WHERE outbox = $1";
const DELIVERIES = "SELECT message_id AS id FROM outbox_console.delivery WHERE outbox = $1 AND dead_at IS NULL";
const CLAIMS = "SELECT token::text, owner, message_ids AS ids FROM outbox_console.claim WHERE outbox = $1";
const INSTANCES = `SELECT id, state, published::float8, late_commits::float8 AS "lateCommits", stream IS NOT NULL AS streams FROM outbox_console.relay_instance WHERE outbox = $1`;

export async function readPostgresEvidence(pool: Pool): Promise<StoreEvidence> {
  const select = async <Row extends object>(sql: string, values: string[] = []) =>
    (await pool.query<Row>(sql, values)).rows;
  const states = async (sql: string, values: string[] = []) => {
    const found = await select<{ id: string; published: boolean }>(sql, values);
    return new Map(found.map(({ id, published }) => [id, { published }]));
  };
  return {
    ledger: await select<LedgerRow>(LEDGER),
    rows: await states(ROWS),
    dead: await select<DeadRow>(DEAD, [OUTBOX]),
    archived: await states(ARCHIVED, [OUTBOX]),
    deliveries: (await select<{ id: string }>(DELIVERIES, [OUTBOX])).map(({ id }) => id),
    claims: await select(CLAIMS, [OUTBOX]),
    instances: await select<InstanceRow>(INSTANCES, [OUTBOX]),
  };
}
