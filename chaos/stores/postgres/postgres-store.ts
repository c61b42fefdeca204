import pg from "pg";
import { migrateStoreSide } from "#db/stores/postgres/own-schema/migrate.ts";
import { aggregateNames } from "../../workload/aggregate-names.ts";
import { throughPort } from "../../world/relay-config.ts";
import type { ChaosStore, OperatorVerb, StoreInput } from "../chaos-store.ts";
import { type BuriedInTable, buryInTable } from "./dead-in-table.ts";
import { readPostgresEvidence } from "./postgres-evidence.ts";
import { postgresFaults } from "./postgres-faults.ts";
import { startPostgresServer } from "./postgres-server.ts";
import { DDL, TABLE } from "./postgres-tables.ts";
import { openPostgresWriter } from "./postgres-writer.ts";

const WAITING = `SELECT count(*)::int AS count FROM ${TABLE} o WHERE o.published_at IS NULL
  AND NOT EXISTS (SELECT FROM outbox_console.delivery d WHERE d.message_id = o.id::text AND d.dead_at IS NOT NULL)`;
const CANDIDATES: Record<OperatorVerb, string> = {
  "dead-letter": `SELECT id::text FROM ${TABLE} WHERE published_at IS NULL ORDER BY seq DESC LIMIT $1`,
  retry: `SELECT message_id AS id FROM (SELECT message_id FROM outbox_console.dead_letter
    UNION ALL SELECT message_id FROM outbox_console.delivery WHERE dead_at IS NOT NULL) dead ORDER BY random() LIMIT $1`,
  archive: `SELECT id::text FROM ${TABLE} WHERE published_at IS NOT NULL ORDER BY seq DESC LIMIT $1`,
  restore: "SELECT message_id AS id FROM outbox_console.archive ORDER BY random() LIMIT $1",
};

export async function openPostgresStore({ options, folder, log }: StoreInput): Promise<ChaosStore> {
  const server = await startPostgresServer(folder);
  let dead: BuriedInTable | null = null;
  const pool = new pg.Pool({ connectionString: server.url, application_name: "chaos" });
  pool.on("error", () => undefined);
  const count = async (sql: string) => (await pool.query<{ count: number }>(sql)).rows[0]?.count ?? 0;
  const close = async () => {
    await pool.end();
    await dead?.close();
    await server.stop();
  };
  try {
    await migrateStoreSide(server.url);
    await pool.query(DDL);
    await pool.query("INSERT INTO chaos_aggregate (id) SELECT unnest($1::text[])", [
      aggregateNames(options.aggregates),
    ]);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: "postgres",
    port: server.port,
    storeYaml: (port) => `{ kind: postgres, url: "${throughPort(server.url, port)}" }`,
    tableYaml: [`table: public.${TABLE}`],
    restart: server.restart,
    openWriter: () => openPostgresWriter(server.url),
    countWaiting: () => count(WAITING),
    countClaims: () => count("SELECT count(*)::int AS count FROM outbox_console.claim"),
    countPauses: () => count("SELECT count(*)::int AS count FROM outbox_console.pause"),
    hasStream: async () =>
      (await count("SELECT count(*)::int AS count FROM outbox_console.relay_instance WHERE stream IS NOT NULL")) > 0,
    relayPids: async () =>
      (await pool.query<{ pid: number }>("SELECT pid FROM outbox_console.relay_instance")).rows.map(({ pid }) => pid),
    candidates: async (verb, limit) => {
      const { rows } = await pool.query<{ id: string }>(CANDIDATES[verb], [limit]);
      return rows.map(({ id }) => ({ id, eventId: id }));
    },
    foreign: postgresFaults({ url: server.url, pool, log }),
    buryDead: async () => {
      const { deadInTable } = options.settings;
      if (deadInTable > 0) dead = await buryInTable(server.url, deadInTable, log);
    },
    get deadInTable() {
      return dead;
    },
    evidence: () => readPostgresEvidence(pool),
    close,
  };
}
