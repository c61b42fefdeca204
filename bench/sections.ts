import type { Client } from "pg";
import { addPending, benchTable, makeTable, publishRest, type TableContents } from "#tests/outbox-table.ts";
import { CONTENDERS, type ContenderName } from "./contenders/contender.ts";
import type { Load } from "./load.ts";
import { micros, millis, percent, type Section, whole } from "./report.ts";
import { type DrainFigures, measureDrain } from "./scenarios/drain.ts";
import { measureIdle } from "./scenarios/idle.ts";
import { COLD_SECONDS, measureSteady, type SteadyFigures, WARM_UP_SECONDS } from "./scenarios/steady.ts";
import type { BenchServer } from "./server.ts";
import type { Target } from "./target.ts";

export interface Bench {
  server: BenchServer;
  load: Load;
  rows: number;
  rounds: number;
  perSecond: number;
  seconds: number;
}

const DRAIN_HEADER = ["sink", "contender", "rows/s", "of the limit", "its CPU, µs/row", "Postgres' CPU, µs/row"];

/** Every sink: the limit, the tutorial loop and the relay, alternating. */
export async function drainSection(bench: Bench, targets: readonly Target[]): Promise<Section> {
  const text = `Drain of ${whole(bench.rows)} pending rows of 10,000 aggregates, median of ${bench.rounds}; \`http-batch\` sends a hundred events per request. The relay keeps the order of every aggregate, the limit keeps none.`;
  return {
    name: "Drain",
    text,
    header: DRAIN_HEADER,
    rows: await drain(bench, targets, ["limit", "tutorial", "relay"]),
  };
}

/** The limit and the relay alternate, on a backlog so large that the start of a process hardly counts. */
export async function longDrainSection(bench: Bench, targets: readonly Target[]): Promise<Section> {
  const text = `The same with ${whole(bench.rows)} rows, median of ${bench.rounds}. A process that has just started is slower for its first second, while its code is compiled; here that is a small part.`;
  return { name: "Long drain", text, header: DRAIN_HEADER, rows: await drain(bench, targets, ["limit", "relay"]) };
}

async function drain(bench: Bench, targets: readonly Target[], names: readonly ContenderName[]): Promise<string[][]> {
  const rows: string[][] = [];
  for (const target of targets) {
    const figures = await measureDrain({
      ...bench,
      table: benchTable(bench.server.client),
      target,
      contenders: names.map((name) => ({ name })),
      prepare: () => fresh(bench, bench.rows),
    });
    for (const one of figures) rows.push(drainRow(target.kind, one, figures[0]));
  }
  return rows;
}

/** One, two and four relays share the partitions of one outbox. */
export async function instancesSection(bench: Bench, target: Target): Promise<Section> {
  const figures = await measureDrain({
    ...bench,
    table: benchTable(bench.server.client),
    target,
    contenders: [1, 2, 4].map((instances) => ({ name: "relay" as const, instances })),
    prepare: () => fresh(bench, bench.rows),
  });
  const rows = figures.map((one) => [`${one.instances}`, ...drainRow(target.kind, one, figures[0]).slice(2)]);
  const text = `Drain of ${whole(bench.rows)} rows over ${target.kind}. All instances start at once, so the time includes joining and sharing the partitions. More instances help availability and slow receivers; here they share two cores.`;
  return {
    name: "Several instances",
    text,
    header: ["instances", "rows/s", "of one", ...DRAIN_HEADER.slice(4)],
    rows,
  };
}

const SLOW_MS = 20;

/** A slow receiver: throughput is concurrency across aggregates. */
export async function slowReceiverSection(bench: Bench): Promise<Section> {
  bench.load.answerAfter(SLOW_MS);
  try {
    const figures = await measureDrain({
      ...bench,
      table: benchTable(bench.server.client),
      target: { kind: "http", url: bench.load.sinkUrl },
      rounds: 1,
      contenders: [{ name: "limit" }, { name: "tutorial" }, { name: "relay" }],
      prepare: () => fresh(bench, 5000, 1000),
    });
    const text = `5,000 rows of 1,000 aggregates to a receiver that answers after ${SLOW_MS} ms, one event per request.`;
    const rows = figures.map((one) => drainRow("http", one, figures[0]));
    return { name: "A slow receiver", text, header: DRAIN_HEADER, rows };
  } finally {
    bench.load.answerAfter(0);
  }
}

const STEADY_HEADER = [
  "table",
  "contender",
  "p50 ms",
  "p95 ms",
  "p99 ms",
  "cold: p50 ms",
  "cold: p99 ms",
  "missing",
  "its CPU, of a core",
  "Postgres' CPU",
];

/** Commit to receipt. */
export async function latencySection(bench: Bench, contenders: readonly ContenderName[]): Promise<Section> {
  const rows: string[][] = [];
  for (const contender of contenders) {
    const figures = await measureSteady({ ...bench, contender, prepare: () => makeTable(bench.server.client) });
    rows.push(steadyRow("empty", figures));
  }
  const text = `Time from acknowledged commit to receipt over http at ${bench.perSecond}/s, one event per transaction, on a table that is empty at first: ${bench.seconds} s, measured after ${WARM_UP_SECONDS} s of the same load. "Cold" is the first ${COLD_SECONDS} s of a new process.`;
  return { name: "Latency", text, header: STEADY_HEADER, rows };
}

interface GrownTable {
  name: string;
  contents: TableContents;
  /** Some rows must not be sent and stay in the table. Without the limit, which would send them. */
  withheld?: true;
}

/** The same work on grown tables, each next to the empty table of the same run, and the limit where it applies. */
export async function growthSection(bench: Bench, published: number): Promise<Section> {
  const tables: GrownTable[] = [
    { name: "empty", contents: {} },
    { name: `${whole(published)} published`, contents: { published } },
    { name: "1,000,000 published, no index", contents: { published: 1_000_000, index: "none" } },
    { name: "500,000 dead, moved to the dead letters", contents: { buried: 500_000 } },
    { name: "500,000 dead, still in the table", contents: { dead: 500_000 }, withheld: true },
    { name: "the first 200,000 of one blocked aggregate", contents: { blocked: 200_000 }, withheld: true },
  ];
  const rows: string[][] = [];
  for (const table of tables) rows.push(await growthRow(bench, table));
  const text = `The relay on tables with different histories: a drain of ${whole(bench.rows)} rows without a sink (compared with the limit on the same table, unless rows must stay in it), then ${bench.perSecond}/s over http for ${bench.seconds} s. A relay that takes over walks over blocked rows once and skips dead rows that stay in the table in one step. That is included in the drain and in the cold figures; the other latencies are measured after ${WARM_UP_SECONDS} s.`;
  return {
    name: "Growth",
    text,
    header: ["table", "drain, rows/s", "limit, rows/s", "of the limit", ...STEADY_HEADER.slice(2)],
    rows,
  };
}

async function growthRow(bench: Bench, { name, contents, withheld }: GrownTable): Promise<string[]> {
  const { client } = bench.server;
  await makeTable(client, contents);
  const drains = await measureDrain({
    ...bench,
    table: benchTable(bench.server.client),
    target: { kind: "noop", url: "" },
    contenders: withheld ? [{ name: "relay" }] : [{ name: "relay" }, { name: "limit" }],
    prepare: () => addPending(client, bench.rows),
  });
  const [relay = 0, limit] = drains.map(({ rowsPerSecond }) => rowsPerSecond);
  const ofLimit = limit === undefined ? ["–", "–"] : [whole(limit), percent(relay / limit)];
  const prepare = () => (withheld ? Promise.resolve() : publishRest(client));
  const steady = await measureSteady({ ...bench, contender: "relay", prepare });
  return [name, whole(relay), ...ofLimit, ...steadyRow(name, steady).slice(2)];
}

const HELD_SECONDS = 60;

/** Another session holds a snapshot, so published rows cannot be vacuumed. Reports latencies of the last third. */
export async function heldSection(bench: Bench, contenders: readonly ContenderName[]): Promise<Section> {
  const rows: string[][] = [];
  for (const contender of contenders) {
    const figures = await measureSteady({
      ...bench,
      seconds: HELD_SECONDS / 3,
      warmUpSeconds: (HELD_SECONDS * 2) / 3,
      contender,
      prepare: () => makeTable(bench.server.client),
      // A slot can only be created while no transaction is open.
      meanwhile: () => holdSnapshot(bench.server.client),
    });
    rows.push(steadyRow("snapshot held", figures));
  }
  const text = `${bench.perSecond}/s over http while another transaction is open for ${HELD_SECONDS} s, so that vacuum can remove no old row version; latencies of the last ${HELD_SECONDS / 3} s.`;
  return { name: "A transaction held open", text, header: STEADY_HEADER, rows };
}

async function holdSnapshot(client: Client): Promise<() => Promise<void>> {
  const { default: pg } = await import("pg");
  const { host, port, user, database } = client;
  const holder = new pg.Client({ host, port, user, database, password: client.password ?? undefined });
  await holder.connect();
  await holder.query("BEGIN ISOLATION LEVEL REPEATABLE READ");
  await holder.query("SELECT pg_current_xact_id()");
  return () => holder.end();
}

/** Cost while nothing happens. */
const IDLE_TABLES: { name: string; contents: TableContents }[] = [
  { name: "empty", contents: {} },
  { name: "1,000,000 published", contents: { published: 1_000_000 } },
  { name: "1,000,000 published, an index of all rows in order", contents: { published: 1_000_000, index: "all" } },
  { name: "1,000,000 published, no index", contents: { published: 1_000_000, index: "none" } },
];

export async function idleSection(bench: Bench, contenders: readonly ContenderName[]): Promise<Section> {
  const rows: string[][] = [];
  for (const contender of contenders) {
    for (const { name, contents } of IDLE_TABLES) {
      const idle = await measureIdle({ ...bench, contender, contents });
      rows.push([
        CONTENDERS[contender],
        name,
        percent(idle.relayShare),
        percent(idle.postgresShare),
        idle.transactionsPerSecond.toFixed(1),
      ]);
    }
  }
  const text = `An outbox without waiting messages, for ${bench.seconds} s. Without an index of those a poll scans the table, and takes at most a third of the time.`;
  const header = ["contender", "table", "its CPU, of a core", "Postgres' CPU, of a core", "transactions/s"];
  return { name: "Idle", text, header, rows };
}

async function fresh(bench: Bench, rows: number, aggregates?: number): Promise<number> {
  await makeTable(bench.server.client);
  return addPending(bench.server.client, rows, aggregates);
}

function drainRow(sink: string, one: DrainFigures, reference: DrainFigures | undefined): string[] {
  const share = percent(one.rowsPerSecond / (reference?.rowsPerSecond ?? Number.NaN));
  const left = one.left > 0 && one.contender !== "tutorial" ? ` (${whole(one.left)} left)` : "";
  return [
    sink,
    CONTENDERS[one.contender],
    `${whole(one.rowsPerSecond)}${left}`,
    share,
    micros(one.relayMicros),
    micros(one.serverMicros),
  ];
}

function steadyRow(table: string, one: SteadyFigures): string[] {
  return [
    table,
    CONTENDERS[one.contender],
    millis(one.warm.p50),
    millis(one.warm.p95),
    millis(one.warm.p99),
    millis(one.cold.p50),
    millis(one.cold.p99),
    String(one.missing),
    percent(one.relayShare),
    percent(one.postgresShare),
  ];
}
