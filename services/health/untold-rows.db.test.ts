import { afterEach, beforeEach, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { listMessages } from "../messages/list-messages.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import type { Runtime } from "../runtime.ts";
import { checkHealth } from "./check-health.ts";
import { renderMetrics } from "./render-metrics.ts";

const database = testDatabase("migrated");
let runtime: Runtime;

beforeEach(async () => {
  await database().pool.query(`DROP TABLE IF EXISTS outbox;
    CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), aggregatetype text NOT NULL,
      aggregateid text NOT NULL, type text NOT NULL, payload jsonb)`);
  runtime = openTestRuntime(database().url, { outboxes: { orders: { store: "shop", table: "outbox" } } });
});

afterEach(() => runtime.close());

test.each([0, 3])(
  "of %i rows without a mark, no answer says that none waits, or that their status is unnamed",
  async (rows) => {
    await database().pool.query(
      "INSERT INTO outbox (aggregatetype, aggregateid, type) SELECT 'order', 'A-1', 'placed' FROM generate_series(1, $1)",
      [rows],
    );
    const { counts, verdict, ...snapshot } = await takeSnapshot({ runtime, outbox: "orders" });
    expect(snapshot).toMatchObject({ rowsTell: false, oldestPending: null, oldestPendingKnown: false });
    expect(counts).toMatchObject({
      pending: { precision: "unknown" },
      published: { precision: "unknown" },
      unknown: { value: rows, precision: "exact" },
    });
    expect(verdict.causes.map(({ rule }) => rule)).toEqual(["mapping"]);
    expect(verdict.evidence).toBe("No row says whether it was published.");
    const query = messageQuerySchema.parse({ state: "unsent" });
    const { matching } = await listMessages({ runtime, outbox: "orders", query });
    expect(matching.precision).toBe("unknown");
    const { checks } = await checkHealth({ runtime, outbox: "orders" });
    expect(checks?.["orders:unknown"]).toBeUndefined();
    expect(checks?.["orders:oldestPending"]).toMatchObject([
      { observedValue: null, output: "Nothing is recorded as waiting; no row says whether it was published." },
    ]);
    const { text } = await renderMetrics({ runtime });
    expect(text).toContain(`outbox_messages{outbox="orders",state="unknown"} ${rows}`);
    expect(text).not.toMatch(/outbox_messages\{outbox="orders",state="(pending|published)"\}/);
    expect(text).not.toMatch(/outbox_oldest_pending_seconds\{/);
  },
);
