import { afterAll, beforeAll, expect, test } from "vitest";
import { type DemoRuntime, openDemoRuntime } from "#demo/testing/demo-runtime.fixture.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { listOutboxes } from "../outboxes/list-outboxes.ts";
import { takeSnapshot } from "../outboxes/take-snapshot.ts";
import { checkHealth } from "./check-health.ts";

const database = testDatabase();
let demo: DemoRuntime;
beforeAll(async () => {
  demo = await openDemoRuntime(database().url);
});
afterAll(() => demo.close());

/** What the snapshot, the list and health say. */
async function said(): Promise<string[]> {
  const { runtime } = demo;
  const [snapshot, health, list] = await Promise.all([
    takeSnapshot({ runtime, outbox: "orders" }).then(
      () => "read",
      (error: Error) => error.message,
    ),
    checkHealth({ runtime, outbox: "orders" }),
    listOutboxes({ runtime }),
  ]);
  expect(list.stores[0]?.answers, "the store answers").toBe(true);
  const listed = list.outboxes.find(({ name }) => name === "orders")?.verdict;
  return [snapshot, `${health.status}: ${health.output}`, `${listed?.status}: ${listed?.cause}`];
}

test.each(["claim", "delivery", "lease", "relay_instance", "pause"])(
  "while another session has locked our table %s, every surface fails and names it, and not the outbox table",
  async (table) => {
    const locker = await demo.pool.connect();
    try {
      await locker.query("BEGIN");
      await locker.query("SET LOCAL application_name = 'pg_repack'");
      await locker.query(`LOCK TABLE outbox_console.${table} IN ACCESS EXCLUSIVE MODE`);
      const lock = new RegExp(`pg_repack \\(pid \\d+\\) has locked the table outbox_console\\.${table}\\b`);
      const texts = await waitFor(
        async () => {
          const all = await said();
          return all.every((text) => lock.test(text)) && all;
        },
        { message: "the snapshot, the list and health name the lock" },
      );
      // A relay goes on for a while without the others.
      expect(texts[0]).toContain(
        ["claim", "lease"].includes(table) ? "its relay cannot claim or mark" : "what its relay does is not known",
      );
      expect(texts.slice(1).map((text) => text.split(":")[0])).toEqual(["fail", "fail"]);
      expect(texts.join()).toMatch(/`SELECT pg_terminate_backend\(\d+\)` ends it/);
    } finally {
      await locker.query("ROLLBACK");
      locker.release();
    }
    await waitFor(async () => (await said())[0] === "read", { message: "the outbox is read again" });
  },
);
