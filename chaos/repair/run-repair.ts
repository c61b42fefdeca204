import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { operationRequestSchema } from "#contracts/message/operations.ts";
import { formatCount } from "#domain/format.ts";
import { loadConfig } from "#services/config/load-config.ts";
import { startBulkOperation } from "#services/operations/bulk/start-bulk-operation.ts";
import { openRuntime } from "#services/runtime.ts";
import { OUTBOX, TABLE } from "#tests/outbox-table.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type Latencies, LiveTraffic, type Span } from "./live-traffic.ts";
import { RepairWorld } from "./repair-world.ts";

export interface RepairOptions {
  /** Dead messages, all of which are retried by one operation. */
  rows: number;
  /** Live events a second during the operation. */
  perSecond: number;
  /** Items a second; null for as fast as possible. */
  ratePerSecond: number | null;
  /** Measurement before the operation, ms. */
  beforeMs: number;
  faults: readonly RepairFault[];
  say(line: string): void;
}

export interface RepairResult {
  seconds: number;
  before: Latencies;
  during: Latencies;
  /** The same without the outages: from each fault until some seconds after everything runs again. */
  betweenFaults: Latencies;
  /** Messages that arrived more than once: those in flight at a kill. */
  repeated: number;
  /** Broken rules, as sentences. */
  violations: string[];
}

/** A fault that begins once the share `at` of the messages has come back into the table. */
export interface RepairFault {
  at: number;
  name: "worker killed" | "database restarted";
}

/** Time for the relay to publish the messages that were written during an outage, ms. */
const CATCH_UP_MS = 20_000;

/** One operation retries every dead message while its worker is killed and its database is restarted. */
export async function runRepair(options: RepairOptions): Promise<RepairResult> {
  const folder = await mkdtemp(join(tmpdir(), "outbox-repair-"));
  const world = await RepairWorld.open(folder, options.rows);
  const traffic = new LiveTraffic(world.server.url, options.perSecond, world.arrivedAtMs);
  try {
    await world.startWorker();
    const settledMs = performance.now() + 3000;
    await delay(options.beforeMs + 3000);
    const id = await start(world, options);
    const begunMs = performance.now();
    const outages: Span[] = [];
    for (const fault of options.faults) {
      await broughtBack(world, options.rows * fault.at);
      const fromMs = performance.now();
      options.say(`${Math.round((fromMs - begunMs) / 1000)} s: ${fault.name}`);
      await suffer(world, fault.name);
      outages.push([fromMs, performance.now() + CATCH_UP_MS]);
    }
    await waitFor(async () => (await stateOf(world, id)) === "finished", {
      timeoutMs: 24 * 60 * 60_000,
      intervalMs: 500,
      message: "the operation finishes",
    });
    const endedMs = performance.now();
    await traffic.stop();
    await waitFor(() => [...traffic.committed.keys()].every((event) => world.received.has(event)), {
      timeoutMs: 60_000,
      message: "every live event has arrived",
    }).catch(() => undefined);
    return {
      seconds: (endedMs - begunMs) / 1000,
      before: traffic.within([settledMs, begunMs]),
      during: traffic.within([begunMs, endedMs]),
      betweenFaults: traffic.within([begunMs, endedMs], outages),
      repeated: [...world.received.values()].filter((times) => times > 1).length,
      violations: await judge(world, traffic, { id, rows: options.rows }),
    };
  } finally {
    await traffic.stop().catch(() => undefined);
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts the operation as the API does; returns its id. */
async function start({ configPath }: RepairWorld, { rows, ratePerSecond }: RepairOptions): Promise<string> {
  const config = loadConfig({ OUTBOX_CONFIG: configPath });
  const runtime = openRuntime({ config, applicationName: "outbox-console chaos", env: {} });
  try {
    const settings = { ratePerSecond, rampSeconds: 0, canary: 10, haltPercent: 20 };
    const { id } = await startBulkOperation({
      ctx: { runtime, actor: { name: "ana", role: "admin" }, requestId: randomUUID() },
      outbox: OUTBOX,
      request: operationRequestSchema.parse({
        action: "retry",
        filter: { state: "dead" },
        reason: "the receiver is repaired",
        confirm: rows,
        settings,
      }),
      idempotencyKey: randomUUID(),
    });
    return id;
  } finally {
    await runtime.close();
  }
}

async function suffer(world: RepairWorld, name: RepairFault["name"]): Promise<void> {
  if (name === "database restarted") return world.server.restart("immediate", 500);
  await world.killWorker();
  await world.startWorker();
}

function broughtBack(world: RepairWorld, rows: number): Promise<unknown> {
  return waitFor(async () => (await count(world, "SELECT count(*) FROM brought_back")) >= rows, {
    timeoutMs: 24 * 60 * 60_000,
    intervalMs: 200,
    message: `${formatCount(rows)} messages are back in their table`,
  });
}

async function count(world: RepairWorld, text: string): Promise<number> {
  const [row] = await world.rows<{ count: string }>(text);
  return Number(row?.count);
}

async function stateOf(world: RepairWorld, id: string): Promise<string | undefined> {
  const [row] = await world.rows<{ state: string }>(`SELECT state FROM outbox_console.operation WHERE id = '${id}'`);
  return row?.state;
}

async function judge(
  world: RepairWorld,
  traffic: LiveTraffic,
  { id, rows }: { id: string; rows: number },
): Promise<string[]> {
  const violations: string[] = [];
  const expect = (found: number, wanted: number, sentence: (found: string) => string) => {
    if (found !== wanted) violations.push(sentence(formatCount(found)));
  };
  const items = `FROM outbox_console.operation_item WHERE operation_id = '${id}'`;
  expect(await count(world, `SELECT count(*) ${items}`), rows, (n) => `${n} items were written, not ${rows}`);
  expect(
    await count(world, `SELECT count(*) ${items} AND outcome = 'published'`),
    rows,
    (n) => `${n} items are published, not ${rows}`,
  );
  expect(
    await count(world, "SELECT count(*) FROM brought_back"),
    rows,
    (n) => `${n} messages were retried, not ${rows}`,
  );
  expect(
    await count(world, "SELECT count(DISTINCT message_id) FROM brought_back"),
    rows,
    (n) => `${n} different messages were retried, not ${rows}`,
  );
  expect(
    await count(world, `SELECT count(*) FROM ${TABLE} WHERE published_at IS NULL`),
    0,
    (n) => `${n} rows are unpublished at the end`,
  );
  const marked = await world.rows<{ id: string }>(`SELECT id FROM ${TABLE}`);
  const lost = marked.filter((row) => !world.received.has(row.id)).length;
  expect(lost, 0, (n) => `${n} messages are marked as published and did not arrive`);
  const live = [...traffic.committed.keys()].filter((event) => !world.received.has(event)).length;
  expect(live, 0, (n) => `${n} live events did not arrive`);
  return violations;
}
