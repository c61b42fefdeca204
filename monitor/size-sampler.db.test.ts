import { expect, onTestFinished, test } from "vitest";
import { configSchema } from "#services/config/config-schema.ts";
import { openRuntime } from "#services/runtime.ts";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { SizeSampler } from "./size-sampler.ts";

const records = testDatabase("migrated");
const shop = testMysqlDatabase("mysql", "empty");
const OUTBOXES = 40;

test("the size of each of many outboxes of one MySQL database is recorded in one round", async () => {
  const names = Array.from({ length: OUTBOXES }, (_, n) => `outbox_${n}`);
  for (const name of names)
    await shop().query(
      `CREATE TABLE ${name} (id bigint AUTO_INCREMENT PRIMARY KEY, event_type varchar(255), payload json,
       created_at datetime(6) NOT NULL DEFAULT (UTC_TIMESTAMP(6)), published_at datetime(6))`,
    );
  const runtime = openRuntime({
    config: configSchema.parse({
      console: { databaseUrl: records().url },
      stores: { shop: { kind: "mysql", url: shop().url } },
      outboxes: Object.fromEntries(names.map((name) => [name, { store: "shop", table: `${shop().name}.${name}` }])),
    }),
    applicationName: "outbox-console test",
    env: {},
  });
  onTestFinished(() => runtime.close());
  await waitFor(async () => (await runtime.tables()).outboxes.length === OUTBOXES, { message: "the catalog is read" });
  const sampler = new SizeSampler({
    runtime,
    records: runtime.records ?? expect.unreachable(),
    signal: new AbortController().signal,
  });
  await sampler.runOnce();
  await sampler.settle();
  const { rows } = await records().pool.query("SELECT outbox FROM outbox_console_app.size_sample");
  expect(rows.map(({ outbox }) => outbox).sort()).toEqual(names.sort());
});
