import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { configSchema } from "#services/config/config-schema.ts";
import { openRuntime } from "#services/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";

const database = testDatabase();

test("values that could not be looked at are looked at again soon", async () => {
  const { pool, url } = database();
  const role = `reader_${randomUUID().slice(0, 8)}`;
  await pool.query(
    `CREATE TABLE box (id bigserial PRIMARY KEY, aggregate_id text, event_type text, payload jsonb, created_at timestamptz, published_at timestamptz);
     CREATE ROLE ${role}; GRANT SELECT (id, aggregate_id, event_type, payload, created_at) ON box TO ${role}; GRANT USAGE ON SCHEMA public TO ${role}`,
  );
  const limited = new URL(url);
  limited.searchParams.set("options", `-c role=${role}`);
  const config = configSchema.parse({
    stores: { shop: { kind: "postgres", url: limited.href } },
    outboxes: { box: { store: "shop", table: "public.box" } },
  });
  const runtime = openRuntime({ config, applicationName: "outbox-console test", env: {} });
  const unlooked = async () => (await runtime.outbox("box")).catalog.unlooked ?? [];
  try {
    expect(await unlooked()).toEqual(["published_at"]);
    await pool.query(`GRANT SELECT ON box TO ${role}`);
    await expect.poll(unlooked, { timeout: 30_000 }).toEqual([]);
  } finally {
    await runtime.close();
    await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  }
});
