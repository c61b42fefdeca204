import type { Page } from "@playwright/test";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { Product } from "./fixtures/product.ts";
import { expect, test } from "./fixtures/test.ts";

/** A hand-made table with codes, a library's table, one that a reader of the log publishes, and e-mails. */
const FOUR_TABLES = `
CREATE TABLE outbox_queue (msg_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, kind text NOT NULL, ref_no text, body jsonb NOT NULL,
  put_on timestamptz NOT NULL DEFAULT now(), state smallint NOT NULL DEFAULT 0, tries int NOT NULL DEFAULT 0, err_txt text);
INSERT INTO outbox_queue (kind, ref_no, body, put_on, state, tries, err_txt)
  SELECT 'order.placed', 'A-' || n, '{}', now() - n * interval '1 minute', CASE WHEN n <= 12 THEN 0 WHEN n <= 15 THEN 9 WHEN n = 16 THEN 7 ELSE 2 END, 0, NULL
  FROM generate_series(1, 200) n;
CREATE TABLE txno_outbox (id varchar(36) PRIMARY KEY, invocation text, nextattempttime timestamp(6), attempts int, blocked boolean,
  version int, uniquerequestid varchar(250) UNIQUE, processed boolean, lastattempttime timestamp(6), topic varchar(250) NOT NULL DEFAULT '*', seq bigint);
INSERT INTO txno_outbox (id, invocation, nextattempttime, attempts, blocked, version, processed) VALUES
  ('waiting', '{"m":"charge"}', '2020-01-01', 0, false, 1, false), ('given-up', '{"m":"charge"}', '2020-01-01', 5, true, 6, false);
CREATE TABLE outboxevent (id uuid PRIMARY KEY, aggregatetype varchar(255) NOT NULL, aggregateid varchar(255) NOT NULL, type varchar(255) NOT NULL, payload jsonb);
INSERT INTO outboxevent SELECT gen_random_uuid(), 'order', 'A-1', 'order.placed', '{}' FROM generate_series(1, 5);
CREATE TABLE letters_outbox (id text PRIMARY KEY, event_id text, status text, attempts int);
INSERT INTO letters_outbox SELECT 'L-' || n, '{}', CASE WHEN n = 1 THEN 'NEW' ELSE 'SENT' END, 0 FROM generate_series(1, 9) n;
CREATE TABLE parcel_outbox (id text PRIMARY KEY, event_id text, status text, attempts int);
CREATE TABLE mail_outbox (id bigint PRIMARY KEY, recipient text, subject text, html text, status text, sent_at timestamptz);
ANALYZE`;

/** The library's own condition of what it runs next. */
const CLAIM =
  "SELECT id FROM txno_outbox WHERE nextattempttime < (now() AT TIME ZONE 'UTC') AND topic = '*' AND NOT blocked AND NOT processed";

let product: Product;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await database.pool.query(FOUR_TABLES);
  product = await Product.start({
    database,
    config: (url) => ({
      stores: { shop: { kind: "postgres", url } },
      outboxes: { jobs: { store: "shop", table: "txno_outbox", mode: "operate" } },
    }),
  });
});

test.afterAll(() => product.close());

/** The oldest row of these tables waits too long, so the health that Settings shows is 503. */
const UNHEALTHY = /status of 503 .*\/api\/health\)$/;

test("each table is shown as what it is, and a table of e-mails is left alone", { tag: IN_DEPTH }, async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(UNHEALTHY);
  const { outboxes } = await (await fetch(`${product.url}/api/v1/outboxes`)).json();
  const names = outboxes.map((outbox: { table: string }) => outbox.table).sort();
  expect(names).toEqual(["public.outbox_queue", "public.outboxevent", "public.txno_outbox"]);

  await page.goto(`${product.url}/messages?state=all&outbox=outboxevent`);
  await expect(page.getByTestId("message-row")).toHaveCount(5);
  await expect(page.getByTestId("message-row").first()).toContainText("unknown");
  await page.goto(`${product.url}/settings?outbox=outboxevent`);
  await expect(page.getByText(/Debezium.* keeps that in the replication slot/).first()).toBeVisible();
});

test("a question is answered and saved, and another table is said to be no outbox", async ({ page, expectedNoise }) => {
  expectedNoise.push(UNHEALTHY);
  await page.goto(`${product.url}/`);
  const candidate = (table: string) => page.getByTestId("candidate").filter({ hasText: table });
  await candidate("letters_outbox").getByText("letters_outbox").first().click();
  await candidate("letters_outbox").getByRole("link", { name: "Answer" }).click();
  await page.getByLabel("Column of payload").selectOption("event_id");
  await expect(page.getByLabel("SENT means published", { exact: true })).toBeChecked();
  await expect(page.getByRole("button", { name: "Save…" })).toBeDisabled();
  await page.getByRole("button", { name: "Yes, as shown below" }).click();
  await expect(page.locator("dl").filter({ hasText: "pending" })).toContainText(/published\s*8/i);
  await confirm(page, "Save…", "the letters team says so");
  await expect(page).toHaveURL(/settings\/mapping\?outbox=letters_outbox/);
  await expect(page.getByText("This is how the table is read now.")).toBeVisible();
  const { outboxes } = await (await fetch(`${product.url}/api/v1/outboxes`)).json();
  expect(outboxes.map(({ table }: { table: string }) => table)).toContain("public.letters_outbox");

  await page.goto(`${product.url}/`);
  await candidate("parcel_outbox").getByText("parcel_outbox").first().click();
  await candidate("parcel_outbox").getByRole("link", { name: "Answer" }).click();
  await confirm(page, "Not an outbox…", "it holds labels");
  await expect(page.getByRole("heading", { level: 1 })).toContainText(/outbox/i);
  await expect(candidate("parcel_outbox")).toHaveCount(0);
  await page.goto(`${product.url}/audit`);
  await expect(page.getByRole("cell", { name: "mapping.save" })).toBeVisible();
  await expect(page.getByRole("cell", { name: "mapping.ignore" })).toBeVisible();
});

async function confirm(page: Page, button: string, reason: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill(reason);
  await dialog.getByRole("button", { name: "Save" }).click();
}

test("a value is named, the preview shows it, and the lines for outbox.yaml say it", { tag: IN_DEPTH }, async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(UNHEALTHY);
  await page.goto(`${product.url}/settings?outbox=outbox_queue`);
  await page.getByRole("link", { name: "Try another mapping" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("outbox_queue");

  await page.getByLabel("How a published message is marked").selectOption("status");
  await page.getByLabel("Column of status").selectOption("state");
  const tick = (value: string, state: string) => page.getByLabel(`${value} means ${state}`, { exact: true });
  await tick("0", "pending").check();
  await tick("2", "published").check();
  await tick("9", "dead").check();
  const counts = page.locator("dl").filter({ hasText: "pending" });
  await expect(counts).toContainText(/dead\s*3/i);
  await expect(counts).toContainText(/pending\s*12/i);
  await expect(page.getByText(/1 row is unknown/)).toBeVisible();
  await expect(page.getByText(/lifecycle:/)).toContainText("dead:");
  await expect(page.getByText(/UPDATE .*outbox_queue/).first()).toBeVisible();

  await page.getByRole("button", { name: "Discard the changes" }).click();
  await expect(page.getByRole("link", { name: "Back to the settings" })).toBeVisible();
  const { rows } = await product.database.pool.query("SELECT count(*)::int AS count FROM outbox_queue WHERE state = 9");
  expect(rows[0].count).toBe(3);
});

test("a dead row of a library is retried, and the library's own query finds it", { tag: IN_DEPTH }, async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(UNHEALTHY);
  const claimed = async () => (await product.database.pool.query(CLAIM)).rows.map(({ id }) => id).sort();
  expect(await claimed()).toEqual(["waiting"]);
  await page.goto(`${product.url}/messages?state=dead&outbox=jobs`);
  await page.getByTestId("message-row").getByRole("link").press("Enter");
  await page.getByRole("button", { name: /^Retry now/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("the gateway is back");
  await dialog
    .getByRole("button", { name: /^Retry/ })
    .last()
    .click();
  await expect.poll(claimed).toEqual(["given-up", "waiting"]);
});
