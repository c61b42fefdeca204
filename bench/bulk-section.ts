import { randomUUID } from "node:crypto";
import { configSchema } from "#services/config/config-schema.ts";
import { BULK_LEASE_MS, BulkRun } from "#services/operations/bulk/bulk-run.ts";
import { ActingPlaces } from "#services/operations/bulk/pace/acting-places.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { makeTable, OUTBOX, TABLE } from "#tests/outbox-table.ts";
import { millis, type Section, whole } from "./report.ts";
import { measureSteady, type SteadyFigures } from "./scenarios/steady.ts";
import type { Bench } from "./sections.ts";

/** The highest rate that an operator can set; no run reaches it. */
const MOST = 10_000;

/** `inTable`: the dead rows cannot leave their table. `none`: no operation. */
const RUNS: readonly { ratePerSecond: number | null | "none"; inTable?: boolean }[] = [
  { ratePerSecond: "none" },
  { ratePerSecond: 200 },
  { ratePerSecond: null },
  { ratePerSecond: MOST },
  { ratePerSecond: "none", inTable: true },
  { ratePerSecond: 200, inTable: true },
  { ratePerSecond: null, inTable: true },
  { ratePerSecond: MOST, inTable: true },
];
const SETTINGS = { rampSeconds: 0, canary: 10, haltPercent: 20 };

/**
 * A retry of very many dead messages during live traffic over http: at a rate, without a rate, and as fast as possible.
 * `dead`: dead messages at the start of each run.
 */
export async function bulkSection(bench: Bench, dead: number): Promise<Section> {
  const rows: string[][] = [];
  for (const { ratePerSecond, inTable = false } of RUNS) {
    await bench.server.client.query("TRUNCATE outbox_console.operation, outbox_console.operation_item");
    await makeTable(bench.server.client, inTable ? { dead } : { buried: dead });
    const operation = ratePerSecond === "none" ? null : new BulkBench(bench.server.url, ratePerSecond);
    const steady = await measureSteady({
      ...bench,
      contender: "relay",
      prepare: async () => undefined,
      ...(operation ? { meanwhile: () => operation.start() } : {}),
    });
    rows.push([inTable ? "the table" : "the dead letters", ...rowOf(operation, steady)]);
  }
  const text = `${bench.perSecond} events/s over http for ${bench.seconds} s with ${whole(dead)} dead messages: alone, beside a retry of all of them at 200/s, beside one at the pace that live messages allow, and beside one as fast as it goes. Latency is of the live events. Items are written during the first seconds.`;
  const header = [
    "dead messages in",
    "operation",
    "items written",
    "published, items/s",
    "live p50 ms",
    "live p95 ms",
    "live p99 ms",
    "lost",
  ];
  return { name: "Bulk operation", text, header, rows };
}

function rowOf(operation: BulkBench | null, { warm, missing }: SteadyFigures): string[] {
  const figures = operation?.figures;
  return [
    operation?.name ?? "none",
    figures ? whole(figures.selected) : "–",
    figures ? whole(figures.perSecond) : "–",
    millis(warm.p50),
    millis(warm.p95),
    millis(warm.p99),
    String(missing),
  ];
}

/** One operation over the dead messages, run as a worker's monitor runs it. */
class BulkBench {
  readonly name: string;
  figures = { selected: 0, perSecond: 0 };
  readonly #runtime: Runtime;
  readonly #ratePerSecond: number | null;

  constructor(url: string, ratePerSecond: number | null) {
    this.#ratePerSecond = ratePerSecond;
    this.name = nameOf(ratePerSecond);
    const config = configSchema.parse({
      stores: { default: { kind: "postgres", url } },
      sinks: { bench: { kind: "log" } },
      outboxes: { [OUTBOX]: { table: TABLE, mode: "operate" } },
    });
    this.#runtime = openRuntime({ config, applicationName: "outbox-console bench", env: {} });
  }

  /** Returns a function that stops the operation and reads its figures. */
  async start(): Promise<() => Promise<void>> {
    const { store } = await this.#runtime.outbox(OUTBOX);
    const { bulk } = store.records;
    if (!bulk) throw new Error("The store keeps no bulk operations.");
    const id = randomUUID();
    await bulk.begin({
      ...{ id, outbox: OUTBOX, action: "retry", actor: { name: "bench", role: "admin" }, reason: "bench" },
      ...{ idempotencyKey: id, requestHash: id, detail: "dead messages" },
      plan: { selection: { filter: { state: "dead" } }, settings: { ...SETTINGS, ratePerSecond: this.#ratePerSecond } },
    });
    const row = await bulk.take("bench", BULK_LEASE_MS);
    if (!row) throw new Error("The operation was taken by another runner.");
    const stopping = new AbortController();
    const running = new BulkRun({ runtime: this.#runtime, bulk, row, places: new ActingPlaces() }).run(stopping.signal);
    return async () => {
      stopping.abort();
      await running;
      const counts = await bulk.counts(id);
      const items = await bulk.items({ id, outcome: "published", afterSeq: null, limit: 1_000_000 });
      const times = items.flatMap(({ settledAt }) => (settledAt === null ? [] : [Date.parse(settledAt)]));
      const seconds = (Math.max(...extremes(times)) - Math.min(...extremes(times))) / 1000;
      const selected = Object.values(counts).reduce((sum, count) => sum + count, 0);
      this.figures = { selected, perSecond: seconds > 0 ? items.length / seconds : 0 };
      await this.#runtime.close();
    };
  }
}

function nameOf(ratePerSecond: number | null): string {
  if (ratePerSecond === null) return "retry, as live messages allow";
  return ratePerSecond === MOST ? "retry, as fast as it goes" : `retry at ${ratePerSecond}/s`;
}

/** The smallest and the largest; spreading a million arguments would overflow the stack. */
function extremes(values: readonly number[]): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}
