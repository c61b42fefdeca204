import type { Pool } from "pg";
import { EVERY_PAGE } from "./fixtures/pages.ts";
import { Product } from "./fixtures/product.ts";
import { expect, test } from "./fixtures/test.ts";

/** A tutorial's layout, with data of every kind. */
const FOREIGN_SQL = `
CREATE TABLE outbox (id uuid PRIMARY KEY, aggregate_type varchar(100) NOT NULL, aggregate_id varchar(100) NOT NULL,
  event_type varchar(100) NOT NULL, payload json NOT NULL, created_at timestamp NOT NULL DEFAULT now(), published_at timestamp);
CREATE TABLE outbox_archive (LIKE outbox INCLUDING ALL);
CREATE TABLE inbox (id uuid PRIMARY KEY, message_id uuid NOT NULL UNIQUE, payload jsonb,
  received_at timestamp NOT NULL DEFAULT now(), processed_at timestamp);
CREATE TABLE processed_events (event_id uuid PRIMARY KEY, processed_at timestamp NOT NULL DEFAULT now());
INSERT INTO outbox SELECT gen_random_uuid(), 'order', 'order-' || n % 20, 'order.placed', '{"total": 1.10}',
  now() - n * interval '1 minute', CASE WHEN n > 40 THEN now() - n * interval '59 seconds' END FROM generate_series(1, 400) n;
INSERT INTO outbox_archive SELECT gen_random_uuid(), 'order', 'order-' || n, 'order.placed', '{"old": true}',
  now() - interval '40 days', now() - interval '40 days' FROM generate_series(1, 30) n;
INSERT INTO inbox SELECT gen_random_uuid(), id, '{}', created_at, published_at FROM outbox WHERE published_at IS NOT NULL;
INSERT INTO processed_events SELECT id, published_at FROM outbox WHERE published_at IS NOT NULL LIMIT 200;
ANALYZE`;

const TABLES = ["outbox", "outbox_archive", "inbox", "processed_events"];
const PAGES = [...EVERY_PAGE, "/messages?state=pending", "/messages?state=published"];

let product: Product;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const [foreign, ours] = [await makeDatabase("empty"), await makeDatabase("migrated")];
  await foreign.pool.query(FOREIGN_SQL);
  product = await Product.start({ database: foreign, env: () => ({ OUTBOX_EMBEDDED_URL: ours.url }) });
  // As with `npm start`: the monitor samples, and no relay runs.
  await product.startWorker({ owns: null });
});

test.afterAll(() => product.close());

/** Everything in the database that could have been changed. */
async function readEverything(pool: Pool): Promise<Record<string, unknown>> {
  const contents: Record<string, unknown> = {};
  for (const table of TABLES) {
    const { rows } = await pool.query(
      `SELECT count(*)::int AS count, md5(string_agg(t::text || xmin::text || ctid::text, ',' ORDER BY t::text)) AS sum FROM ${table} t`,
    );
    contents[table] = rows[0];
  }
  const { rows: schemas } = await pool.query("SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' ORDER BY 1");
  const { rows: relations } = await pool.query(
    "SELECT relname, relkind, relfilenode FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1",
  );
  return { contents, schemas, relations };
}

async function readWrites(pool: Pool): Promise<unknown[]> {
  const { rows } = await pool.query(
    "SELECT relname, n_tup_ins, n_tup_upd, n_tup_del, n_tup_hot_upd FROM pg_stat_user_tables ORDER BY 1",
  );
  return rows;
}

/** Sessions of the product in this database. */
async function countSessions(pool: Pool): Promise<number> {
  const { rows } = await pool.query(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'outbox-console%'",
  );
  return rows[0].count;
}

test("observing a foreign database does not change a single row", async ({ page, expectedNoise }) => {
  test.setTimeout(240_000);
  // The oldest message waits too long, so the health shown in Settings is 503.
  expectedNoise.push(/status of 503 .*\/api\/health\)$/);
  const { pool } = product.database;
  const before = await readEverything(pool);
  // The statistics of our own INSERTs arrive shortly after them.
  await expect.poll(async () => JSON.stringify(await readWrites(pool))).toContain('"n_tup_ins":"400"');
  const writesBefore = await readWrites(pool);

  await test.step("every page opens and shows what is there", async () => {
    for (const path of PAGES) {
      await page.goto(product.url + path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
    }
    await page.goto(`${product.url}/messages?state=pending`);
    await expect(page.getByTestId("message-row")).toHaveCount(40);
    await page.getByTestId("message-row").first().getByRole("link").press("Enter");
    await expect(page).toHaveURL(/\/messages\/[^?]/);
    await expect(page.getByTestId("payload-tree")).toContainText("1.10");
  });

  await test.step("its actions are off and say why", async () => {
    for (const name of [/^Retry now/, /^Dead-letter/, /^Archive/]) {
      const button = page.getByRole("button", { name });
      await expect(button).toHaveAttribute("aria-disabled", "true");
      await expect(button).toHaveAccessibleDescription(/observe/i);
    }
    await page.keyboard.press("r");
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  await test.step("its sessions carry our application name", async () => {
    expect(await countSessions(pool)).toBeGreaterThan(0);
  });

  // A session reports its writes when it ends, at the latest. The page closes first, because its requests would fail.
  await page.close();
  await product.stopPrograms();
  await expect.poll(() => countSessions(pool)).toBe(0);
  expect(await readEverything(pool)).toEqual(before);
  expect(await readWrites(pool)).toEqual(writesBefore);
});
