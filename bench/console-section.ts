import { configSchema } from "#services/config/config-schema.ts";
import { missingIndexesOf } from "#services/outboxes/missing-indexes.ts";
import { openRuntime } from "#services/runtime.ts";
import { addDead, CONSOLE_TABLE, DEAD_ATTEMPTS, makeConsoleTable, settle, TUTORIAL_INDEX } from "./console-table.ts";
import { millis, type Section, whole } from "./report.ts";
import { measureConsole } from "./scenarios/console.ts";
import type { BenchServer } from "./server.ts";

const DEAD = 30_000;
const MANY_DEAD = 476_000;

/**
 * The console's reads over a table of layout (a): with the recommended indexes, with many dead rows, with the
 * tutorial's index, and with no index.
 */
export async function consoleSection(server: BenchServer, { rows }: { rows: number }): Promise<Section> {
  const { client } = server;
  await makeConsoleTable(client, { rows, dead: DEAD, failed: 1200, pending: 3000 });
  const cells: string[][] = [];
  const measureTable = async (table: string) => {
    for (const one of await measureConsole(server)) {
      const reference = one.reference ? [millis(one.reference.p50), millis(one.reference.p95)] : ["> 3,000", "> 3,000"];
      cells.push([
        table,
        one.endpoint,
        millis(one.p50),
        millis(one.p95),
        ...reference,
        millis(one.postgresMs),
        one.answer,
      ]);
    }
  };
  await createRecommended(server, CONSOLE_TABLE, DEAD_ATTEMPTS);
  await measureTable(`${whole(DEAD)} dead, recommended indexes`);
  await addDead(client, MANY_DEAD - DEAD);
  await measureTable(`${whole(MANY_DEAD)} dead, recommended indexes`);
  await dropIndexes(server);
  await client.query(TUTORIAL_INDEX);
  await settle(client);
  await measureTable(`${whole(MANY_DEAD)} dead, the tutorial's index alone`);
  await dropIndexes(server);
  await measureTable(`${whole(MANY_DEAD)} dead, primary key alone`);
  const text = `Reads of the console, observing a table of the first layout in [shapes.md](shapes.md) with ${whole(rows)} rows, of which 3,000 are pending and 1,200 failed. Each is called 30 times, one call after the other, on a warm table. "Bare SQL" is a plain statement for the same answer over \`pg\`. "Of 10,000 read" means that the read stopped at its budget of entries and says so; "+" means at least. A snapshot is kept for a hundred times as long as it took, between 1.5 and 5 s.`;
  return {
    name: "Console",
    text,
    header: [
      "table",
      "endpoint",
      "p50 ms",
      "p95 ms",
      "bare SQL p50 ms",
      "bare SQL p95 ms",
      "Postgres' CPU, ms",
      "answer",
    ],
    rows: cells,
  };
}

/** Drops all indexes but the primary key. */
async function dropIndexes({ client }: BenchServer): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT indexrelid::regclass::text AS name FROM pg_index WHERE indrelid = $1::regclass AND NOT indisprimary",
    [CONSOLE_TABLE],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
}

/** The indexes that Settings and doctor recommend for the table. `deadAttempts`: as its outbox is configured. */
export async function createRecommended(
  server: BenchServer,
  table: string = CONSOLE_TABLE,
  deadAttempts?: number,
): Promise<void> {
  const config = configSchema.parse({
    stores: { bench: { kind: "postgres", url: server.url } },
    outboxes: { events: { store: "bench", table, ...(deadAttempts === undefined ? {} : { deadAttempts }) } },
  });
  const runtime = openRuntime({ config, applicationName: "outbox-console bench", env: {} });
  try {
    for (const { sql } of await missingIndexesOf(await runtime.outbox("events")))
      if (sql !== null) await server.client.query(sql);
  } finally {
    await runtime.close();
  }
  await settle(server.client, table);
}
