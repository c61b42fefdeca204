import { randomUUID } from "node:crypto";
import { afterEach, beforeEach } from "vitest";
import type { Operation, OperationItem, OperationRequest } from "#contracts/message/operations.ts";
import { operationRequestSchema } from "#contracts/message/operations.ts";
import { OUTBOX_EVENTS_WITH_ATTEMPTS } from "#tests/factories/layouts.ts";
import { ADMIN, contextOf, openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import type { TestDatabase } from "#tests/test-database.ts";
import { waitFor } from "#tests/wait-for.ts";
import { type MonitorHandle, startMonitor } from "../../../monitor/start-monitor.ts";
import type { Runtime } from "../../runtime.ts";
import { getOperation } from "../get-operation.ts";
import { listItems } from "../list-items.ts";
import { startOperation } from "../start-operation.ts";
import { commandBulkOperation } from "./command-bulk-operation.ts";
import type { OpenReplaySink } from "./replay/replay-sink.ts";

const OURS =
  "delivery, claim, lease, dead_letter, archive, operation, operation_item, audit, attempt, mapping_fingerprint, pause";
const DEAD_ATTEMPTS = 5;

type Asked = Omit<OperationRequest, "reason"> & { reason?: string };

/** The outbox `orders` over one table, dead with five attempts, and a monitor that does its bulk operations. */
export interface BulkOutbox {
  database: () => TestDatabase;
  runtime: () => Runtime;
  /** Inserts messages of five aggregates, `error` being their last one; dead unless said otherwise. */
  put(count: number, more?: { attempts?: number; type?: string }): Promise<void>;
  start(request: Asked, key?: string): Promise<Operation>;
  get(id: string): Promise<Operation>;
  command(id: string, command: "pause" | "resume" | "cancel"): Promise<Operation>;
  items(id: string): Promise<OperationItem[]>;
  /** Starts a monitor; it is stopped after the test. `openReplaySink`: how it sends published messages once more. */
  work(openReplaySink?: OpenReplaySink): Promise<MonitorHandle>;
  /** As a relay: publishes retried messages, or lets them fail for good. */
  relay(outcome: "publish" | "fail"): Promise<number>;
  /** Waits for a state, relaying meanwhile. */
  until(id: string, state: string, outcome?: "publish" | "fail"): Promise<Operation>;
  query<Row>(sql: string, values?: unknown[]): Promise<Row[]>;
}

/** One database for all tests of a file. */
export function bulkOutbox(): BulkOutbox {
  const database = testDatabase("migrated");
  let runtime: Runtime;
  let monitors: MonitorHandle[] = [];
  const query: BulkOutbox["query"] = async (sql, values = []) => (await database().pool.query(sql, values)).rows;

  beforeEach(async () => {
    await query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    await query(`TRUNCATE ${OURS.replace(/\w+/g, (name) => `outbox_console.${name}`)}`);
    await query("TRUNCATE outbox_console_app.monitor_lease");
    await query(OUTBOX_EVENTS_WITH_ATTEMPTS);
    runtime = openTestRuntime(database().url, {
      console: { databaseUrl: database().url },
      sinks: { stdout: { kind: "log" } },
      outboxes: {
        orders: { store: "shop", table: "public.outbox_events", mode: "operate", deadAttempts: DEAD_ATTEMPTS },
      },
    });
  });
  afterEach(async () => {
    await Promise.all(monitors.map((monitor) => monitor.stop()));
    monitors = [];
    await runtime.close();
  });

  const relay: BulkOutbox["relay"] = async (outcome) => {
    const set =
      outcome === "publish" ? "dispatched_at = now()" : `attempts = ${DEAD_ATTEMPTS}, last_error = 'HTTP 500: no rate'`;
    const done = await database().pool.query(
      `UPDATE outbox_events SET ${set} WHERE attempts = 0 AND dispatched_at IS NULL
       AND id::text IN (SELECT message_id FROM outbox_console.operation_item WHERE outcome = 'released')`,
    );
    return done.rowCount ?? 0;
  };
  const get = (id: string) => getOperation({ runtime, id });
  return {
    database,
    runtime: () => runtime,
    query,
    get,
    relay,
    put: async (count, { attempts = DEAD_ATTEMPTS, type = "order.placed" } = {}) => {
      await query(
        `INSERT INTO outbox_events (id, aggregate_id, event_type, payload, occurred_at, attempts, last_error)
         SELECT gen_random_uuid(), 'order-' || (n % 5), $2, '{}', now() - interval '1 hour' + n * interval '1 millisecond', $3,
           CASE WHEN $3 > 0 THEN 'HTTP 500: no rate' END FROM generate_series(1, $1) n`,
        [count, type, attempts],
      );
    },
    start: (request, key = randomUUID()) =>
      startOperation({
        ctx: contextOf(runtime, request.action === "republish" ? ADMIN : undefined),
        outbox: "orders",
        request: operationRequestSchema.parse({ reason: "INC-42", ...request }),
        idempotencyKey: key,
      }),
    command: (id, command) => commandBulkOperation({ ctx: contextOf(runtime, ADMIN), id, command, reason: "INC-42" }),
    items: async (id) => (await listItems({ runtime, id, query: { limit: 1000 } })).items,
    work: async (openReplaySink) => {
      const monitor = await startMonitor({
        ...{ runtime, leaseMs: 2000, renewMs: 100 },
        ...(openReplaySink ? { openReplaySink } : {}),
      });
      monitors.push(monitor);
      await waitFor(() => monitor.leads, { message: "the monitor leads" });
      return monitor;
    },
    until: async (id, state, outcome) => {
      await waitFor(
        async () => {
          if (outcome) await relay(outcome);
          return (await get(id)).bulk?.state === state;
        },
        { message: `the operation is ${state}`, timeoutMs: 200_000 },
      );
      return get(id);
    },
  };
}
