import type { Client } from "pg";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { configSchema } from "#services/config/config-schema.ts";
import { listFailureGroups } from "#services/messages/list-failure-groups.ts";
import { listMessages } from "#services/messages/list-messages.ts";
import { takeSnapshot } from "#services/outboxes/take-snapshot.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { CONSOLE_TABLE, DEAD_ATTEMPTS } from "../console-table.ts";
import type { BenchServer } from "../server.ts";

/** Name of the outbox in every runtime here. */
export const OUTBOX = "events";
const CALLS = 30;
/** A reference that scans the table takes seconds, so it runs once. */
const SLOW_MS = 300;
const REFERENCE_TIMEOUT_MS = 3000;

export interface EndpointFigures {
  endpoint: string;
  p50: number;
  p95: number;
  /** Of one call, ms. */
  postgresMs: number;
  /** The bare statements for the same answer; null if one took longer than 3 s. */
  reference: { p50: number; p95: number } | null;
  answer: string;
}

const ROW = "id, aggregate_id, event_type, occurred_at, dispatched_at, attempts, left(last_error, 500)";
const WAITS = "dispatched_at IS NULL AND attempts < 10";
const DEAD = "dispatched_at IS NULL AND attempts >= 10";
const page = (where: string, order = "occurred_at, id") =>
  `SELECT ${ROW} FROM ${CONSOLE_TABLE} WHERE ${where} ORDER BY ${order} LIMIT 51`;
const count = (where: string, most: number) =>
  `SELECT count(*) FROM (SELECT 1 FROM ${CONSOLE_TABLE} WHERE ${where} LIMIT ${most}) found`;
const listed = (where: string, order?: string) => [page(where, order), count(where, 10_001)];
const NEWEST = "occurred_at DESC, id DESC";

/** Each endpoint's query, with the best bare SQL for the same question. */
const LISTS: [name: string, query: Record<string, string>, reference: string[]][] = [
  ["messages, not published", {}, listed(WAITS)],
  ["messages, pending", { state: "pending" }, listed(`${WAITS} AND attempts = 0`)],
  ["messages, failed", { state: "failed" }, listed(`${WAITS} AND attempts > 0`)],
  ["messages, dead", { state: "dead" }, listed(DEAD, NEWEST)],
  ["messages, published", { state: "published" }, listed("dispatched_at IS NOT NULL", NEWEST)],
  [
    "dead of one type",
    { state: "dead", eventType: "invoice.rendered" },
    listed(`${DEAD} AND event_type = 'invoice.rendered'`, NEWEST),
  ],
  [
    "dead by a word of the error",
    { state: "dead", error: "template" },
    listed(`${DEAD} AND last_error ILIKE '%template%'`, NEWEST),
  ],
  [
    "not published, search",
    { q: "order-77" },
    listed(`${WAITS} AND (aggregate_id = 'order-77' OR event_type = 'order-77')`),
  ],
  [
    "published of one aggregate",
    { state: "published", aggregateId: "order-77" },
    listed("dispatched_at IS NOT NULL AND aggregate_id = 'order-77'", NEWEST),
  ],
];
const SNAPSHOT = [
  count(WAITS, 50_001),
  count(`${WAITS} AND attempts > 0`, 50_001),
  count(DEAD, 50_001),
  `SELECT id, occurred_at FROM ${CONSOLE_TABLE} WHERE ${WAITS} ORDER BY occurred_at LIMIT 1`,
];
const GROUPS = [
  `SELECT event_type, last_error, count(*) FROM (SELECT * FROM ${CONSOLE_TABLE} WHERE ${DEAD} ORDER BY occurred_at DESC LIMIT 10000) t GROUP BY 1, 2`,
  `SELECT event_type, last_error, count(*) FROM (SELECT * FROM ${CONSOLE_TABLE} WHERE ${WAITS} AND attempts > 0 LIMIT 10000) t GROUP BY 1, 2`,
];

/** Times every read of the console over the table, warm, one call after another, next to bare statements. */
export async function measureConsole(server: BenchServer): Promise<EndpointFigures[]> {
  const config = configSchema.parse({
    stores: { bench: { kind: "postgres", url: server.url } },
    outboxes: { [OUTBOX]: { store: "bench", table: CONSOLE_TABLE, deadAttempts: DEAD_ATTEMPTS } },
  });
  const runtime = openRuntime({ config, applicationName: "outbox-console bench", env: {} });
  try {
    const figures = [await measure(server, "snapshot", () => snapshot(runtime), SNAPSHOT)];
    for (const [name, query, reference] of LISTS)
      figures.push(await measure(server, name, () => list(runtime, query), reference));
    figures.push(await measure(server, "failure groups", () => groups(runtime), GROUPS));
    return figures;
  } finally {
    await runtime.close();
  }
}

/** A new runtime each time, so that no figures are cached between calls. */
export async function snapshot(runtime: Runtime): Promise<string> {
  const { counts } = await takeSnapshot({ runtime: Object.create(runtime) as Runtime, outbox: OUTBOX });
  const words = (["pending", "failed", "dead"] as const).map((state) => `${state} ${figure(counts[state])}`);
  return words.join(", ");
}

export async function list(runtime: Runtime, query: Record<string, string>): Promise<string> {
  const found = await listMessages({ runtime, outbox: OUTBOX, query: messageQuerySchema.parse(query) }).catch(
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
  if (typeof found === "string") return `refused: ${found}`;
  const partial = found.partial ? `, of ${found.partial.read.toLocaleString("en-US")} read` : "";
  return `${found.messages.length} of ${figure(found.matching)}${partial}`;
}

export async function groups(runtime: Runtime): Promise<string> {
  const found = await listFailureGroups({ runtime, outbox: OUTBOX });
  return `${found.groups.length} groups, of ${found.read.toLocaleString("en-US")} read`;
}

function figure({ value, precision }: { value: number; precision: string }): string {
  if (precision === "unknown") return "not known";
  return `${value.toLocaleString("en-US")}${precision === "capped" ? "+" : ""}`;
}

/** Times one read, warm, next to the bare statements for the same answer. */
export async function measure(
  server: BenchServer,
  endpoint: string,
  call: () => Promise<string>,
  statements: readonly string[],
): Promise<EndpointFigures> {
  const answer = await call();
  const before = await server.cpuMicros();
  const times = await timed(CALLS, call);
  const postgresMs = ((await server.cpuMicros()) - before) / CALLS / 1000;
  return { endpoint, ...times, postgresMs, reference: await referenceOf(server.client, statements), answer };
}

async function referenceOf(client: Client, statements: readonly string[]): Promise<EndpointFigures["reference"]> {
  const call = async () => {
    for (const sql of statements) await client.query(sql);
  };
  await client.query(`SET statement_timeout = ${REFERENCE_TIMEOUT_MS}`);
  try {
    const first = await timed(1, call);
    return first.p50 > SLOW_MS ? first : await timed(CALLS, call);
  } catch {
    // The statement was cancelled at the limit, which is the result.
    return null;
  } finally {
    await client.query("SET statement_timeout = 0");
  }
}

async function timed(calls: number, call: () => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  for (let index = 0; index < calls; index += 1) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  times.sort((left, right) => left - right);
  const at = (share: number) => times[Math.min(calls - 1, Math.floor(calls * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}
