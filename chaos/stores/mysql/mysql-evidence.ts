import type { Pool, RowDataPacket } from "mysql2/promise";
import type { StoreEvidence } from "../../judge/evidence.ts";
import { OUTBOX } from "../../world/relay-config.ts";
import { TABLE } from "./mysql-tables.ts";

const LEDGER = "SELECT id, seq, aggregate, n, scheduled = 1 AS scheduled FROM chaos_ledger ORDER BY seq";
const ROWS = `SELECT id, published_at IS NOT NULL AS published FROM ${TABLE}`;
const DEAD = `
SELECT CONVERT(message_id USING utf8mb4) AS id, dead_by AS \`by\`, last_error_code AS code, 0 AS stayed FROM outbox_console.dead_letter WHERE outbox = ?
UNION ALL
SELECT CONVERT(message_id USING utf8mb4), dead_by, last_error_code, 1 FROM outbox_console.delivery WHERE outbox = ? AND dead_at IS NOT NULL`;
const ARCHIVED =
  "SELECT CONVERT(message_id USING utf8mb4) AS id, published_at IS NOT NULL AS published FROM outbox_console.archive WHERE outbox = ?";
const DELIVERIES =
  "SELECT CONVERT(message_id USING utf8mb4) AS id FROM outbox_console.delivery WHERE outbox = ? AND dead_at IS NULL";
const CLAIMS =
  "SELECT CONVERT(token USING utf8mb4) AS token, CONVERT(owner USING utf8mb4) AS owner, CAST(message_ids AS char) AS ids FROM outbox_console.claim WHERE outbox = ?";
const INSTANCES = `SELECT CONVERT(id USING utf8mb4) AS id, CONVERT(state USING utf8mb4) AS state, published, late_commits AS lateCommits, stream IS NOT NULL AS streams
  FROM outbox_console.relay_instance WHERE outbox = ?`;

type Row = Record<string, string | number | null>;
type Published = [id: string, state: { published: boolean }];

export async function readMysqlEvidence(pool: Pool): Promise<StoreEvidence> {
  const select = async (sql: string) => {
    const values = sql.match(/\?/g)?.map(() => OUTBOX) ?? [];
    return (await pool.query<(RowDataPacket & Row)[]>(sql, values))[0];
  };
  const states = async (sql: string) =>
    new Map(
      (await select(sql)).map(({ id, published }): Published => [String(id), { published: Number(published) === 1 }]),
    );
  const ledger = await select(LEDGER);
  const dead = await select(DEAD);
  const claims = await select(CLAIMS);
  const instances = await select(INSTANCES);
  return {
    ledger: ledger.map(({ id, seq, aggregate, n, scheduled }) => ({
      ...{ id: String(id), seq: Number(seq), aggregate: String(aggregate), n: Number(n) },
      scheduled: Number(scheduled) === 1,
    })),
    rows: await states(ROWS),
    dead: dead.map(({ id, by, code, stayed }) => ({
      ...{ id: String(id), by: textOrNull(by), code: textOrNull(code) },
      stayed: Number(stayed) === 1,
    })),
    archived: await states(ARCHIVED),
    deliveries: (await select(DELIVERIES)).map(({ id }) => String(id)),
    claims: claims.map(({ token, owner, ids }) => ({
      ...{ token: String(token), owner: String(owner) },
      ids: JSON.parse(String(ids)) as string[],
    })),
    instances: instances.map(({ id, state, published, lateCommits, streams }) => ({
      ...{ id: String(id), state: String(state), published: Number(published), lateCommits: Number(lateCommits) },
      streams: Number(streams) === 1,
    })),
  };
}

function textOrNull(value: Row[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
