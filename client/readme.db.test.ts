import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDatabase } from "../tests/postgres.ts";
import { pg } from "./adapters/pg.ts";
import { createInbox } from "./inbox/create-inbox.ts";
import { createOutbox } from "./outbox/create-outbox.ts";
import { contractEvents } from "./testing/contract-events.ts";

const database = testDatabase("empty");

test("the README's code runs as it stands, over tables of the schemas that it prints", async () => {
  const { pool, url } = database();
  const [, code] = /```ts\n(.*?)```/s.exec(readFileSync(join(import.meta.dirname, "README.md"), "utf8")) ?? [];
  await pool.query(`CREATE TABLE orders (id text, total int); CREATE TABLE invoices (order_id text, total int);
    ${createOutbox(contractEvents, { via: pg() }).schema()} ${createInbox(contractEvents, { via: pg(), consumer: "c" }).schema()}`);
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ["--conditions", "outbox-console-source", "--input-type", "module-typescript", "-"],
    {
      cwd: import.meta.dirname,
      env: { ...process.env, DATABASE_URL: url },
      input: `${code}\nawait pool.end();`,
      encoding: "utf8",
    },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain(createOutbox(contractEvents, { via: pg() }).schema().trim());
  const { rows } = await pool.query(`SELECT (SELECT count(*)::int FROM orders) AS orders,
    (SELECT count(*)::int FROM outbox) AS events, (SELECT count(*)::int FROM invoices) AS invoices,
    (SELECT count(*)::int FROM inbox WHERE processed_at IS NOT NULL) AS marks`);
  expect(rows).toEqual([{ orders: 1, events: 1, invoices: 1, marks: 1 }]);
});
