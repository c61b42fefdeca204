import { afterAll, beforeAll, expect, test } from "vitest";
import type { Store } from "#db/stores/port/store.ts";
import { testDatabase } from "#tests/postgres.ts";
import { openPostgresStore } from "../open-postgres-store.ts";
import { MAPPING } from "../relay/relay-box.fixture.ts";

const MESSAGES = 40_000;
const database = testDatabase("migrated");
let store: Store;

beforeAll(async () => {
  const { pool, url } = database();
  const died = (outbox: string) => `INSERT INTO outbox_console.delivery (outbox, message_id, attempts, dead_at)
    SELECT '${outbox}', n::text, 1, now() FROM generate_series(1, ${MESSAGES}) n`;
  await pool.query(`CREATE TABLE box (id bigserial PRIMARY KEY, aggregate_id text, payload text, created_at timestamptz DEFAULT now(), published_at timestamptz);
    INSERT INTO box (aggregate_id, payload) SELECT n, 'x' FROM generate_series(1, ${MESSAGES}) n;
    ${died("other")}`);
  await pool.query("ANALYZE outbox_console.delivery");
  await pool.query(died("orders"));
  store = openPostgresStore({ name: "shop", url, applicationName: "outbox-console test" });
});
afterAll(async () => {
  await store.close();
  await database().pool.query("DROP TABLE box; TRUNCATE outbox_console.delivery");
});

test("the first deaths of an outbox are counted in time, however many they are", async () => {
  const outbox = store.outbox({
    name: "orders",
    mapping: MAPPING,
    storeSide: true,
    maxAttempts: null,
    estimatedRows: 1,
  });
  const { counts, waiting } = await outbox.read.figures();
  expect([counts.dead.value, waiting.oldest]).toEqual([MESSAGES, null]);
});
