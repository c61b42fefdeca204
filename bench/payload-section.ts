import type { Client } from "pg";
import { AGGREGATES, benchTable, createdLongAgo, makeTable, TABLE } from "#tests/outbox-table.ts";
import { micros, type Section, whole } from "./report.ts";
import { measureDrain } from "./scenarios/drain.ts";
import type { Bench } from "./sections.ts";
import type { Target } from "./target.ts";

/** Up to some 2,000 bytes a row is stored in one piece; larger payloads are stored outside the row. */
const SIZES = [500, 1_700, 16_000];
const MEGABYTE = 1_000_000;

interface Measured {
  /** Bytes of log per row, full pages included. */
  writeLog: number;
  markLog: number;
}

/** The relay at three sizes of payload, which do not compress, with the log that writing and marking a row takes. */
export async function payloadSection(bench: Bench, targets: readonly Target[]): Promise<Section> {
  const rows: string[][] = [];
  for (const target of targets) for (const size of SIZES) rows.push(await rowOf(bench, target, size));
  const header = [
    ...["payload, bytes", "sink", "rows/s", "MB/s of payload", "its CPU, µs/row", "Postgres' CPU, µs/row"],
    ...["log of a write, bytes", "log of a mark, bytes"],
  ];
  const text = `Drain of ${whole(bench.rows)} rows of 10,000 aggregates by the relay, with random payloads. The log counts full pages, which the server writes at the first change of a page after a checkpoint; there is one just before the drain.`;
  return { name: "Payloads", text, header, rows };
}

async function rowOf(bench: Bench, target: Target, size: number): Promise<string[]> {
  const { client } = bench.server;
  const measured: Measured = { writeLog: 0, markLog: 0 };
  let drainFrom = 0;
  const [figures] = await measureDrain({
    ...bench,
    rounds: 1,
    table: benchTable(client),
    target,
    contenders: [{ name: "relay" }],
    prepare: async () => {
      await makeTable(client);
      const from = await logEnd(client);
      await write(client, bench.rows, size);
      measured.writeLog = ((await logEnd(client)) - from) / bench.rows;
      await client.query(`VACUUM ANALYZE ${TABLE}`);
      await client.query("CHECKPOINT");
      drainFrom = await logEnd(client);
      return bench.rows;
    },
  });
  if (!figures) throw new Error("A drain needs a contender.");
  measured.markLog = ((await logEnd(client)) - drainFrom) / bench.rows;
  return [
    whole(size),
    target.kind,
    whole(figures.rowsPerSecond),
    ((figures.rowsPerSecond * size) / MEGABYTE).toFixed(1),
    micros(figures.relayMicros),
    micros(figures.serverMicros),
    whole(measured.writeLog),
    whole(measured.markLog),
  ];
}

async function logEnd(client: Client): Promise<number> {
  const { rows } = await client.query<{ end: string }>("SELECT (pg_current_wal_insert_lsn() - '0/0')::text AS end");
  return Number(rows[0]?.end);
}

/** Windows on one random text: no row repeats itself, so nothing is compressed. */
async function write(client: Client, rows: number, size: number): Promise<void> {
  await client.query(
    `WITH random AS MATERIALIZED (SELECT string_agg(md5(random()::text), '') AS text FROM generate_series(1, 1000))
     INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload, created_at)
     SELECT 'order', (i % ${AGGREGATES})::text, 'order.changed', jsonb_build_object('n', i, 'note', substr(random.text, 1 + i % 10000, $2)),
       ${createdLongAgo("$1")} FROM random, generate_series(1, $1) i`,
    [rows, size - 30],
  );
}
