import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type PlanWatch, watchPlans } from "#tests/plans-of.ts";
import { testDatabase } from "#tests/postgres.ts";
import { withWriteTransaction } from "../connection/transaction.ts";
import { listItems, settleActs, settleItems } from "./operation-items.ts";

const ITEMS = 20_000;
const id = randomUUID();
const lease = { id, fence: 0 };

const database = testDatabase("migrated");
let watched: PlanWatch;
let pool: pg.Pool;
beforeEach(async () => {
  await database().pool.query(
    "INSERT INTO outbox_console.operation (id, outbox, action, actor, role, reason, request_hash, state) VALUES ($1, 'orders', 'retry', 'ana', 'admin', 'x', 'h', 'running')",
    [id],
  );
  await database().pool.query(
    `INSERT INTO outbox_console.operation_item (operation_id, seq, message_id, version, state_before)
     SELECT $1, n, 'm' || n, 'v', 'dead' FROM generate_series(1, ${ITEMS}) n`,
    [id],
  );
  watched = await watchPlans(database());
  pool = new pg.Pool({ connectionString: watched.url });
});
afterEach(async () => {
  await pool.end();
  await watched.close();
});

const act = (seq: number) => ({
  ...{ id: `m${seq}`, version: "v", action: "retry" as const, actor: { name: "ana", role: "admin" as const } },
  ...{ reason: "x", operationId: id, dryRun: false, item: { seq, outcome: "released" as const } },
});

test("the items of an operation are read and settled by their keys before anything is known of their number", async () => {
  const seqs = Array.from({ length: 50 }, (_, index) => ITEMS / 2 + index);
  const left = { id, outcome: "left" as const, limit: 50 };
  const plans = await watched.plansOf("operation_item", async () => {
    await listItems(pool, { ...left, afterSeq: null });
    await listItems(pool, { ...left, afterSeq: ITEMS / 2 });
    await withWriteTransaction(pool, (client) =>
      settleActs(
        client,
        seqs.map((seq) => ({ verb: act(seq), message: "Due now." })),
      ),
    );
    await listItems(pool, { id, outcome: "released", afterSeq: null, limit: 500 });
    const results = seqs.map((seq) => ({ seq, outcome: "published" as const, code: null, message: null }));
    await settleItems(pool, lease, { results, again: true });
  });
  expect(plans).toHaveLength(5);
  for (const plan of plans) expect(plan).not.toMatch(/Sort|Hash Join|Merge Join|Bitmap|Seq Scan/);
  expect(await listItems(pool, { id, outcome: "published", afterSeq: null, limit: 500 })).toHaveLength(50);
});
