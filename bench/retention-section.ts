import { configSchema } from "#services/config/config-schema.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import { policiesOf } from "#services/retention/policies-of.ts";
import { runPolicy, type TurnResult } from "#services/retention/run-policy.ts";
import { openRuntime } from "#services/runtime.ts";
import { makeTable, OUTBOX, TABLE } from "#tests/outbox-table.ts";
import { millis, type Section, whole } from "./report.ts";
import { measureSteady, type SteadyFigures } from "./scenarios/steady.ts";
import type { Bench } from "./sections.ts";

/** Longer than any run: a turn ends when it is stopped. */
const BUDGET_MS = 3_600_000;

interface Turn extends TurnResult {
  seconds: number;
}

/** Removes old rows from a table with very many of them, during live traffic over http. */
export async function retentionSection(bench: Bench, published: number): Promise<Section> {
  await makeTable(bench.server.client, { published });
  await bench.server.client.query(
    `CREATE INDEX bench_outbox_published ON ${TABLE} (published_at, id) WHERE published_at IS NOT NULL`,
  );
  const measure = (meanwhile?: () => Promise<() => Promise<void>>) =>
    measureSteady({
      ...bench,
      contender: "relay",
      prepare: async () => undefined,
      ...(meanwhile ? { meanwhile } : {}),
    });
  const rows = [rowOf("nothing", null, await measure())];
  for (const how of ["delete", "archive"] as const) {
    let turn: Turn | null = null;
    const figures = await measure(async () => {
      const stop = await beginRetention(bench.server.url, how);
      return async () => {
        turn = await stop();
      };
    });
    rows.push(rowOf(how === "delete" ? "delete" : "archive, then delete", turn, figures));
  }
  const text = `${bench.perSecond} events/s over http for ${bench.seconds} s with ${whole(published)} rows published a day ago, which retention removes meanwhile, all at one instant, with the recommended index. Latency is of the live events.`;
  const header = ["retention", "removed rows/s", "live p50 ms", "live p95 ms", "live p99 ms", "lost"];
  return { name: "Retention", text, header, rows };
}

function rowOf(name: string, turn: Turn | null, { warm, missing }: SteadyFigures): string[] {
  const removed = turn ? whole(turn.rows / turn.seconds) : "–";
  return [name, removed, millis(warm.p50), millis(warm.p95), millis(warm.p99), String(missing)];
}

/** One turn as a worker's monitor runs it. Returns the function that stops it; it rejects if the store refused. */
async function beginRetention(url: string, how: "delete" | "archive"): Promise<() => Promise<Turn>> {
  // biome-ignore lint/suspicious/noThenProperty: the word of the file
  const published = { keep: "12h", then: how };
  const config = configSchema.parse({
    stores: { default: { kind: "postgres", url } },
    sinks: { bench: { kind: "log" } },
    outboxes: { [OUTBOX]: { table: TABLE, mode: "operate", retention: { published } } },
  });
  const runtime = openRuntime({ config, applicationName: "outbox-console bench", env: {} });
  const handle = await runtime.outbox(OUTBOX);
  const { retention } = outboxOf(handle);
  const [policy] = policiesOf(handle);
  if (!retention || !policy) throw new Error("The store keeps its rows.");
  const stopping = new AbortController();
  const startedMs = performance.now();
  const running = runPolicy({ retention, policy, after: null, budgetMs: BUDGET_MS, signal: stopping.signal });
  return async () => {
    stopping.abort();
    const result = await running;
    const seconds = (performance.now() - startedMs) / 1000;
    await runtime.close();
    if (result.end !== "stopped") throw new Error(`Retention ended early: ${result.end}. ${result.detail}`);
    return { ...result, seconds };
  };
}
