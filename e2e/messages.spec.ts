import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { addEvents, emptyOutbox, OUTBOX } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const EVENTS = 130;

test.use({ baseURL: ({ operated }, use) => use(operated.url), permissions: ["clipboard-read", "clipboard-write"] });

test.beforeEach(async ({ operated }) => {
  const { pool } = operated.database;
  await emptyOutbox(pool);
  await addEvents(
    pool,
    Array.from({ length: EVENTS }, (_, n) => ({ aggregateId: `order-${n}`, eventType: `order.step${n % 2}` })),
  );
});

const result = (page: Page) => page.getByText(/^\d+( to \d+)? of /);

async function auditLines(pool: { query: (sql: string) => Promise<{ rows: Record<string, string>[] }> }) {
  const { rows } = await pool.query(
    "SELECT action || ' ' || outcome || ' ' || coalesce(detail, '') AS line FROM outbox_console_app.audit ORDER BY id",
  );
  return rows.map(({ line }) => line);
}

test("a filter typed before the page's script has come is kept, and applied", { tag: IN_DEPTH }, async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(`/messages?state=all&outbox=${OUTBOX}`, { waitUntil: "commit" });
  const field = page.getByLabel("Filter by an exact id, aggregate or type");
  await field.click();
  await page.keyboard.type("order-7");
  release();
  await expect(result(page)).toHaveText("1 to 50 of 130");
  await expect(field).toHaveValue("order-7");
  await field.press("Enter");
  await expect(result(page)).toHaveText("1 of 1");
});

test("pages, a range of time and columns are in the address, and its link shows the same rows", async ({
  page,
  context,
  operated,
}) => {
  await page.goto(`/messages?state=all&outbox=${OUTBOX}`);
  await expect(result(page)).toHaveText("1 to 50 of 130");
  await page.keyboard.press("n");
  await expect(result(page)).toHaveText("51 to 100 of 130");
  await page.keyboard.press("n");
  await expect(result(page)).toHaveText("101 to 130 of 130");
  await page.keyboard.press("p");
  await expect(result(page)).toHaveText("51 to 100 of 130");
  await page.goBack();
  await expect(result(page)).toHaveText("101 to 130 of 130");
  const firstRow = await page.getByTestId("message-row").first().getAttribute("data-message-id");

  await page.keyboard.press("o");
  await page.getByRole("checkbox", { name: "Created", exact: true }).check();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("columnheader", { name: "Created" })).toBeVisible();
  await page.keyboard.press("c");
  await expect(page.getByText("Copied as link.")).toBeVisible();

  const other = await context.newPage();
  await other.goto(page.url());
  await expect(result(other)).toHaveText("101 to 130 of 130");
  await expect(other.getByTestId("message-row").first()).toHaveAttribute("data-message-id", firstRow ?? "");
  await expect(other.getByRole("columnheader", { name: "Created" })).toBeVisible();
  await expect(other.getByRole("button", { name: "← Previous" }).first()).toBeDisabled();
  await other.getByRole("button", { name: "First" }).first().click();
  await expect(result(other)).toHaveText("1 to 50 of 130");

  await other.keyboard.press("t");
  await other.getByRole("button", { name: "Last 15 min" }).click();
  await expect(other).toHaveURL(/last=15m/);
  await expect(result(other)).toHaveText("1 to 50 of 130");
  await other.getByRole("button", { name: /^Created: Last 15 min/ }).click();
  await other.getByLabel("Before, UTC; empty is now").fill("2026-01-02T00:00:00");
  await other.getByLabel("From, UTC").fill("2026-01-01T00:00:00");
  await other.getByRole("button", { name: "Show", exact: true }).click();
  await expect(other.getByText("Nothing matches these filters.")).toBeVisible();

  await operated.database.pool.query("DELETE FROM outbox_events");
  await page.reload();
  await expect(page.getByText("Nothing is left on this page.")).toBeVisible();
  await page.getByRole("button", { name: "First page" }).click();
  await expect(page.getByText("There are no messages.")).toBeVisible();
});

test("a view for everybody keeps filter and columns, and can be renamed and deleted", { tag: IN_DEPTH }, async ({
  page,
  operated,
}) => {
  await page.goto(`/messages?state=all&eventType=order.step1&columns=state,createdAt,id&outbox=${OUTBOX}`);
  await expect(result(page)).toHaveText("1 to 50 of 65");
  await page.keyboard.press("v");
  const form = page.getByRole("dialog", { name: "Views" });
  await form.getByRole("textbox", { name: "Name of the view" }).fill("Odd steps");
  await form.getByRole("checkbox", { name: "For everybody" }).check();
  await form.getByRole("button", { name: "Save" }).click();
  await expect(form.getByRole("button", { name: "Odd steps", exact: true })).toBeVisible();

  await page.evaluate(() => window.localStorage.clear());
  await page.goto(`/messages?outbox=${OUTBOX}`);
  await expect(page.getByRole("columnheader", { name: "Attempts" })).toBeVisible();
  await page.keyboard.press("v");
  await form.getByRole("button", { name: "Odd steps", exact: true }).click();
  await expect(result(page)).toHaveText("1 to 50 of 65");
  await expect(page.getByRole("columnheader", { name: "Attempts" })).toHaveCount(0);

  await page.keyboard.press("v");
  await form.getByRole("button", { name: "Rename Odd steps" }).click();
  const renamed = form.getByRole("textbox", { name: "New name of Odd steps" });
  await expect(renamed).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(form.getByRole("button", { name: "Rename", exact: true })).toBeFocused();
  await renamed.fill("Odd");
  await page.keyboard.press("Enter");
  await form.getByRole("button", { name: "Delete Odd" }).click();
  await form.getByRole("button", { name: "Delete it" }).click();
  await expect(form.getByText("No views yet.")).toBeVisible();

  const name = form.getByRole("textbox", { name: "Name of the view" });
  for (const _ of ["kept", "refused"]) {
    await name.fill("Mine");
    await form.getByRole("button", { name: "Save" }).click();
  }
  await expect(form.getByText("There is a view named “Mine”; choose another name.")).toBeVisible();
  await expect(name).toHaveValue("Mine");
  const button = page.getByRole("button", { name: "Views" });
  await button.click();
  await expect(form, "its own button closes it").toHaveCount(0);
  await expect(button).toHaveAttribute("aria-expanded", "false");
  expect(await auditLines(operated.database.pool)).toEqual([
    "view.save done Odd steps",
    "view.rename done Odd steps → Odd",
    "view.delete done Odd",
  ]);
});

test("what matches is exported in the columns shown, and a row is copied as SQL", { tag: IN_DEPTH }, async ({
  page,
  operated,
  expectedNoise,
}) => {
  await page.goto(`/messages?state=all&outbox=${OUTBOX}`);
  await expect(result(page)).toHaveText("1 to 50 of 130");
  await page.keyboard.press("s");
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "CSV", exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^orders-all-.*\.csv$/);
  const lines = readFileSync(await file.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  expect(lines[0]).toBe("id,state,eventType,aggregateId,ageSeconds,attempts,maxAttempts,lastError,lastErrorCode");
  expect(lines).toHaveLength(EVENTS + 1);
  await expect
    .poll(async () => (await auditLines(operated.database.pool)).join("\n"))
    .toMatch(/messages\.export begun [\s\S]*messages\.export done 130 rows/);

  await page.keyboard.press("j");
  await page.keyboard.press("y");
  await page.getByRole("menuitem", { name: "Copy as SQL" }).click();
  await expect(page.getByText("Copied as SQL.")).toBeVisible();
  const id = await page.getByTestId("message-row").first().getAttribute("data-message-id");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^SELECT /);
  expect(copied).toContain(id ?? "nothing");

  expectedNoise.push(/status of 403 .*limit=1/);
  const refusal = { code: "forbidden", message: "This needs the role operator.", requestId: "1" };
  await page.route("**/messages?*limit=1&count=0*", (route) =>
    route.fulfill({ status: 403, json: { error: refusal } }),
  );
  await page.keyboard.press("s");
  await page.getByRole("menuitem", { name: "CSV", exact: true }).click();
  await expect(page.getByText("Nothing was exported. This needs the role operator.")).toBeVisible();
});

test("the live tail shows what arrives, counts it while it is paused, and says what it skipped", {
  tag: IN_DEPTH,
}, async ({ page, operated }) => {
  const { pool } = operated.database;
  await page.goto(`/live?outbox=${OUTBOX}`);
  const rows = page.getByTestId("tail-row");
  await expect(rows).toHaveCount(EVENTS);
  const [id] = await addEvents(pool, [{ aggregateId: "order-new", eventType: "order.new" }]);
  await expect(rows.first()).toHaveAttribute("data-message-id", id ?? "");
  await pool.query("UPDATE outbox_events SET published_at = clock_timestamp() WHERE id = $1", [id]);
  await expect(rows.first()).toHaveAttribute("data-state", "published");

  await page.keyboard.press(".");
  const paused = page.getByTestId("tail-paused");
  await expect(paused).toContainText("by you");
  await addEvents(
    pool,
    Array.from({ length: 128 }, (_, n) => ({ aggregateId: `late-${n}`, eventType: "order.late" })),
  );
  await expect(paused).toContainText("+128 new");
  await expect(rows.first()).toHaveAttribute("data-message-id", id ?? "");
  await page.keyboard.press(".");
  await expect(rows).toHaveCount(EVENTS + 1 + 128);

  await pool.query(
    "INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload) SELECT 'order', 'order-1', 'order.flood', '{}' FROM generate_series(1, 1000)",
  );
  const gap = page.getByTestId("tail-gap");
  await expect(gap).toContainText(/^\d+ not shown\. Open them$/);
  const skipped = Number((await gap.innerText()).match(/\d+/)?.[0]);
  const shown = await page.locator("[data-testid=tail-row]", { hasText: "order.flood" }).count();
  expect(shown + skipped).toBe(1000);

  await page.goto(`/live?eventType=order.new&outbox=${OUTBOX}`);
  await expect(rows).toHaveCount(1);

  await page.setViewportSize({ width: 390, height: 844 });
  await rows.first().click({ position: { x: 300, y: 50 } });
  await expect(page, "a finger opens the message anywhere on its row").toHaveURL(new RegExp(`/messages/${id}`));
});

test("an export that the database cuts fails as a transfer, after a line that says so", { tag: IN_DEPTH }, async ({
  operated,
}) => {
  const { pool } = operated.database;
  await pool.query(
    "INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload) SELECT 'order', 'order-' || n, 'order.many', '{}' FROM generate_series(1, 40000) n",
  );
  const answer = await fetch(`${operated.url}/api/v1/outboxes/${OUTBOX}/messages/export?state=all`);
  const decoder = new TextDecoder();
  let text = "";
  const read = async () => {
    for await (const bytes of answer.body ?? []) {
      if (text === "") await operated.line.refuse();
      text += decoder.decode(bytes, { stream: true });
    }
  };
  await expect(read()).rejects.toThrow();
  await operated.line.resume();
  expect(text.trimEnd().split("\r\n").at(-1)).toMatch(/^"# cut after \d+ rows: /);
  await expect.poll(async () => (await fetch(`${operated.url}/api/health/ready`)).status).toBe(200);
});
