import { loadavg } from "node:os";
import type { BenchTable } from "#tests/outbox-table.ts";
import { CONTENDERS, type ContenderName } from "./contenders/contender.ts";
import type { Load } from "./load.ts";
import { micros, millis, percent, type Section, whole } from "./report.ts";
import { measureDrain } from "./scenarios/drain.ts";
import { measureSteady } from "./scenarios/steady.ts";
import type { Target } from "./target.ts";

export interface StoreBench {
  load: Load;
  rows: number;
  rounds: number;
  perSecond: number;
  seconds: number;
}

/** A server of another kind than Postgres, with its table. */
export interface StoreServer {
  url: string;
  /** Shown: product and version. */
  name: string;
  table: BenchTable & { make(): Promise<void>; addPending(rows: number): Promise<number> };
  cpuMicros(): Promise<number>;
}

export interface StoreContenders {
  drain: readonly ContenderName[];
  steady: readonly ContenderName[];
}

/** Drains over no sink and http, and the latency at a steady rate, compared with the limit and the tutorial's loop. */
export async function storeSections(
  kind: string,
  { server, contenders, durability }: { server: StoreServer; contenders: StoreContenders; durability: string },
  bench: StoreBench,
): Promise<Section[]> {
  const drain = await drains(server, contenders.drain, bench);
  const latency = await latencies(server, contenders.steady, bench);
  return [
    { ...drain, name: `Drain, ${kind}`, text: `${drain.text} ${durability}` },
    { ...latency, name: `Latency, ${kind}` },
  ];
}

async function drains(
  server: StoreServer,
  names: readonly ContenderName[],
  bench: StoreBench,
): Promise<Omit<Section, "name">> {
  const targets: Target[] = [
    { kind: "noop", url: "" },
    { kind: "http", url: bench.load.sinkUrl },
  ];
  const rows: string[][] = [];
  for (const target of targets) {
    const figures = await measureDrain({
      ...{ server, table: server.table, target, rounds: bench.rounds },
      contenders: names.map((name) => ({ name })),
      prepare: async () => {
        await server.table.make();
        return server.table.addPending(bench.rows);
      },
    });
    const [limit] = figures;
    for (const one of figures)
      rows.push([
        target.kind,
        CONTENDERS[one.contender],
        whole(one.rowsPerSecond),
        percent(one.rowsPerSecond / (limit?.rowsPerSecond ?? Number.NaN)),
        micros(one.relayMicros),
        micros(one.serverMicros),
      ]);
  }
  const text = `Drain of ${whole(bench.rows)} pending rows of 10,000 aggregates on ${server.name}, median of ${bench.rounds}.`;
  const header = ["sink", "contender", "rows/s", "of the limit", "its CPU, µs/row", "the server's CPU, µs/row"];
  return { text, header, rows };
}

async function latencies(
  server: StoreServer,
  names: readonly ContenderName[],
  { load, perSecond, seconds }: StoreBench,
): Promise<Omit<Section, "name">> {
  const rows: string[][] = [];
  const [loadBefore = 0] = loadavg();
  for (const contender of names) {
    const prepare = () => server.table.make();
    const { warm, missing, relayShare, postgresShare } = await measureSteady({
      ...{ server, load, contender, perSecond, seconds, prepare },
    });
    rows.push([
      CONTENDERS[contender],
      ...[millis(warm.p50), millis(warm.p95), millis(warm.p99)],
      ...[String(missing), percent(relayShare), percent(postgresShare)],
    ]);
  }
  const text = `${perSecond} events a second on ${server.name} for ${seconds} s over http, from the acknowledged commit to the receipt. The machine's load average was ${loadBefore.toFixed(1)} before.`;
  const header = [
    "contender",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "missing",
    "its CPU, of a core",
    "the server's CPU, of a core",
  ];
  return { text, header, rows };
}
