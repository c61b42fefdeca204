import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import pg from "pg";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import { migrateStoreSide } from "#db/store-side/migrate.ts";
import { measureDrain } from "./drain.ts";
import { type Load, startLoad } from "./load.ts";
import { referenceLimit } from "./reference-limit.ts";
import { referenceTutorial } from "./reference-tutorial.ts";
import { relayContender } from "./relay-contender.ts";
import { type DrainFigures, printReport, type Report, recordReport, type SteadyFigures } from "./report.ts";
import { measureSteady } from "./steady.ts";

const CONTENDERS = [referenceLimit, referenceTutorial, relayContender];

const { values } = parseArgs({
  options: {
    /** Messages of a drain. */
    rows: { type: "string", default: "100000" },
    /** Runs of each drain, of which the median counts. */
    rounds: { type: "string", default: "3" },
    /** Seconds of steady load. */
    seconds: { type: "string", default: "20" },
    rate: { type: "string", default: "500" },
    /** drain-noop, drain-http, steady; default: all. */
    only: { type: "string" },
    /** Write the table into docs/performance.md. */
    record: { type: "boolean", default: false },
  },
});

const folder = await mkdtemp(join(tmpdir(), "outbox-console-bench-"));
const server = await startEmbeddedPostgres({
  dataDir: folder,
  settings: { shared_buffers: "512MB", max_wal_size: "4GB", wal_level: "replica" },
});
const load = await startLoad();
try {
  await migrateStoreSide(server.url);
  const report = await measure(server.url, load);
  printReport(report);
  if (values.record) await recordReport(report);
} finally {
  await load.stop();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(url: string, outside: Load): Promise<Report> {
  const client = new pg.Client(url);
  await client.connect();
  const version = await client.query("SHOW server_version");
  const rows = Number(values.rows);
  const rounds = Number(values.rounds);
  const drains: DrainFigures[] = [];
  const steady: SteadyFigures[] = [];
  const wanted = (name: string) => values.only === undefined || values.only === name;
  try {
    for (const [sink, sinkUrl] of [
      ["noop", null],
      ["http", outside.sinkUrl],
    ] as const) {
      if (!wanted(`drain-${sink}`)) continue;
      drains.push(...(await measureDrain({ client, url, sink, sinkUrl, rows, rounds, contenders: CONTENDERS })));
    }
    if (wanted("steady")) {
      const input = { client, url, load: outside, perSecond: Number(values.rate), seconds: Number(values.seconds) };
      for (const contender of CONTENDERS) steady.push(await measureSteady({ ...input, contender }));
    }
  } finally {
    await client.end();
  }
  return { rows, rounds, drains, steady, postgres: version.rows[0].server_version };
}
