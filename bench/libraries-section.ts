import { configSchema } from "#services/config/config-schema.ts";
import { openRuntime } from "#services/runtime.ts";
import { createRecommended } from "./console-section.ts";
import { settle } from "./console-table.ts";
import { LIBRARY_TABLES, type LibraryBenchTable } from "./library-tables.ts";
import { millis, type Section, whole } from "./report.ts";
import { type EndpointFigures, groups, list, measure, OUTBOX, snapshot } from "./scenarios/console.ts";
import type { BenchServer } from "./server.ts";

/**
 * The console's reads over tables of libraries, one for each way to mark a message; without and with the advised
 * indexes.
 */
export async function librariesSection(server: BenchServer, { rows }: { rows: number }): Promise<Section> {
  const cells: string[][] = [];
  for (const one of LIBRARY_TABLES) {
    await server.client.query("SET synchronous_commit = off; SET maintenance_work_mem = '1GB'");
    await server.client.query(one.ddl);
    await server.client.query(`INSERT INTO ${one.table} ${one.fill(rows)}`);
    await settle(server.client, one.table);
    for (const indexes of ["its own indexes", "recommended indexes"]) {
      if (indexes === "recommended indexes") await createRecommended(server, one.table);
      for (const figures of await measureLibrary(server, one))
        cells.push(cellsOf(`${one.library}, ${indexes}`, figures));
    }
    await server.client.query(`DROP TABLE ${one.table}`);
  }
  const marks = LIBRARY_TABLES.map(({ library, marks: by }) => `${library} (${by})`).join(", ");
  const text = `Reads of the console over libraries' tables with ${whole(rows)} rows, by the libraries' own conditions: ${marks}. In the first two, 3,000 rows wait and 30,000 are dead. Each read is called 30 times on a warm table; "bare SQL" is a plain statement for the same answer. "Refused" means that only a scan could answer, and the page says so.`;
  const header = [
    "table",
    "endpoint",
    "p50 ms",
    "p95 ms",
    "bare SQL p50 ms",
    "bare SQL p95 ms",
    "Postgres' CPU, ms",
    "answer",
  ];
  return { name: "Libraries' tables", text, header, rows: cells };
}

function cellsOf(table: string, { endpoint, p50, p95, reference, postgresMs, answer }: EndpointFigures): string[] {
  const bare = reference ? [millis(reference.p50), millis(reference.p95)] : ["> 3,000", "> 3,000"];
  return [table, endpoint, millis(p50), millis(p95), ...bare, millis(postgresMs), answer];
}

async function measureLibrary(server: BenchServer, one: LibraryBenchTable): Promise<EndpointFigures[]> {
  const config = configSchema.parse({
    stores: { bench: { kind: "postgres", url: server.url } },
    outboxes: { [OUTBOX]: { store: "bench", table: one.table } },
  });
  const runtime = openRuntime({ config, applicationName: "outbox-console bench", env: {} });
  const count = (where: string, most: number) =>
    `SELECT count(*) FROM (SELECT 1 FROM ${one.table} WHERE ${where} LIMIT ${most}) found`;
  const page = (where: string, order: string) => [
    `SELECT * FROM ${one.table} WHERE ${where} ORDER BY ${order} LIMIT 51`,
    count(where, 10_001),
  ];
  const newest = one.order
    .split(", ")
    .map((column) => `${column} DESC`)
    .join(", ");
  try {
    const figures = [
      await measure(server, "snapshot", () => snapshot(runtime), [count(one.waits, 50_001), count(one.dead, 50_001)]),
      await measure(server, "messages, not published", () => list(runtime, {}), page(one.waits, one.order)),
      await measure(server, "messages, dead", () => list(runtime, { state: "dead" }), page(one.dead, newest)),
    ];
    if (one.published !== null)
      figures.push(
        await measure(
          server,
          "messages, published",
          () => list(runtime, { state: "published" }),
          page(one.published, newest),
        ),
      );
    figures.push(await measure(server, "failure groups", () => groups(runtime), [count(one.dead, 10_001)]));
    return figures;
  } finally {
    await runtime.close();
  }
}
