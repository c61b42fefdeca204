import mysql, { type RowDataPacket } from "mysql2/promise";
import { openStore } from "#db/stores/open-store.ts";
import type { MysqlFlavor } from "#tests/mysql-servers/server-program.ts";
import { aggregateNames } from "../../workload/aggregate-names.ts";
import type { ChaosStore, OperatorVerb, StoreInput } from "../chaos-store.ts";
import { readMysqlEvidence } from "./mysql-evidence.ts";
import { mysqlFaults } from "./mysql-faults.ts";
import { startMysqlServer } from "./mysql-server.ts";
import { sessionOptions } from "./mysql-session.ts";
import { DATABASE, DDL, GRANTS, RELAY_USER, TABLE } from "./mysql-tables.ts";
import { openMysqlWriter } from "./mysql-writer.ts";

const WAITING = `SELECT count(*) AS count FROM ${TABLE} o WHERE o.published_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM outbox_console.delivery d WHERE d.message_id = CAST(o.id AS binary) AND d.dead_at IS NOT NULL)`;
const CANDIDATES: Record<OperatorVerb, string> = {
  "dead-letter": `SELECT id FROM ${TABLE} WHERE published_at IS NULL ORDER BY seq DESC LIMIT ?`,
  retry: `SELECT CONVERT(message_id USING utf8mb4) AS id FROM (SELECT message_id FROM outbox_console.dead_letter
    UNION ALL SELECT message_id FROM outbox_console.delivery WHERE dead_at IS NOT NULL) dead ORDER BY RAND() LIMIT ?`,
  archive: `SELECT id FROM ${TABLE} WHERE published_at IS NOT NULL ORDER BY seq DESC LIMIT ?`,
  restore: "SELECT CONVERT(message_id USING utf8mb4) AS id FROM outbox_console.archive ORDER BY RAND() LIMIT ?",
};
const NAMES_AT_ONCE = 5000;

/** @throws MysqlUnavailable */
export async function openMysqlStore(flavor: MysqlFlavor, { options, folder, log }: StoreInput): Promise<ChaosStore> {
  const server = await startMysqlServer(flavor, { folder, say: options.say });
  const relayUrl = (port: number) => `${flavor}://${RELAY_USER}@127.0.0.1:${port}/${DATABASE}`;
  const pool = mysql.createPool(sessionOptions(server.url));
  const count = async (sql: string) =>
    Number((await pool.query<(RowDataPacket & { count: number })[]>(sql))[0][0]?.count ?? 0);
  const close = async () => {
    await pool.end();
    await server.stop();
  };
  try {
    await prepare(server.url, aggregateNames(options.aggregates));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    kind: flavor,
    port: server.port,
    storeYaml: (port) => `{ kind: mysql, url: "${relayUrl(port)}" }`,
    tableYaml: [`table: ${TABLE}`],
    restart: server.restart,
    openWriter: () => openMysqlWriter(server.url),
    countWaiting: () => count(WAITING),
    countClaims: () => count("SELECT count(*) AS count FROM outbox_console.claim"),
    countPauses: () => count("SELECT count(*) AS count FROM outbox_console.pause"),
    hasStream: async () =>
      (await count("SELECT count(*) AS count FROM outbox_console.relay_instance WHERE stream IS NOT NULL")) > 0,
    relayPids: async () => {
      const [rows] = await pool.query<(RowDataPacket & { pid: number })[]>(
        "SELECT pid FROM outbox_console.relay_instance",
      );
      return rows.map(({ pid }) => Number(pid));
    },
    candidates: async (verb, limit) => {
      const [rows] = await pool.query<(RowDataPacket & { id: string })[]>(CANDIDATES[verb], [limit]);
      return rows.map(({ id }) => ({ id, eventId: id }));
    },
    foreign: mysqlFaults({ serverUrl: server.url, pool, log }),
    buryDead: async () => undefined,
    deadInTable: null,
    evidence: () => readMysqlEvidence(pool),
    close,
  };
}

/** Tables, our own ones as `npm run migrate` creates them, and the relays' account. */
async function prepare(serverUrl: string, aggregates: readonly string[]): Promise<void> {
  const uri = serverUrl.replace(/^mariadb:/, "mysql:");
  const connection = await mysql.createConnection({ uri, multipleStatements: true });
  try {
    await connection.query(DDL);
    const store = await openStore({
      kind: "mysql",
      name: "shop",
      url: `${serverUrl}${DATABASE}`,
      applicationName: "chaos",
    });
    await store.migrate().finally(() => store.close());
    await connection.query(GRANTS);
    for (let from = 0; from < aggregates.length; from += NAMES_AT_ONCE) {
      const names = aggregates.slice(from, from + NAMES_AT_ONCE).map((name) => [name]);
      await connection.query("INSERT INTO chaos_aggregate (id) VALUES ?", [names]);
    }
  } finally {
    await connection.end();
  }
}
