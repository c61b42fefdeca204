import type { Pool } from "pg";
import { type DemoShop, startDemoShop } from "./fixtures/demo-shop.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { expect, test } from "./fixtures/test.ts";

let shop: DemoShop;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  shop = await startDemoShop(await makeDatabase("migrated"));
});

test.afterAll(() => shop.close());

/**
 * Attempts that an outage counted against messages, including those in flight when the gateway closed. Must be none.
 */
const BURNED = `SELECT (SELECT count(*) FROM outbox_console.attempt WHERE outcome IN ('failed', 'dead'))::int AS attempts,
    (SELECT coalesce(max(attempts), 0) FROM outbox_console.delivery)::int AS kept,
    (SELECT count(*) FROM outbox_console.dead_letter)::int AS dead`;

const UNDELIVERED = `SELECT count(*)::int AS count FROM shop.outbox_events e WHERE published_at IS NULL
    OR NOT EXISTS (SELECT 1 FROM loyalty.inbox WHERE message_id = e.id AND processed_at IS NOT NULL)
    OR NOT EXISTS (SELECT 1 FROM analytics.processed_events WHERE event_id = e.id)`;

async function expectNothingBurned(pool: Pool): Promise<void> {
  // Attempts written before the sink was known to be down are returned shortly afterwards.
  await expect
    .poll(async () => (await pool.query(BURNED)).rows[0], { timeout: 20_000 })
    .toEqual({ attempts: 0, kept: 0, dead: 0 });
}

test("the consumers go down: the banner says so and since when; once back, everything is delivered", {
  tag: IN_DEPTH,
}, async ({ page, request }) => {
  test.setTimeout(180_000);
  const { pool } = shop.product.database;
  await page.goto(shop.product.url);
  const verdict = page.getByRole("region", { name: "Verdict" });
  const sentence = verdict.getByRole("heading", { level: 1 });
  await expect(sentence).toHaveText(/^Delivering/);

  await page.getByRole("button", { name: /^Demo/ }).click();
  const panel = page.getByRole("complementary", { name: "Demo shop" });
  const downSwitch = panel.getByRole("switch", { name: /Gateway down/ });
  const switchedAt = Date.now();
  await downSwitch.click();
  await expect(downSwitch).toBeChecked();

  await expect(sentence).toHaveText(/^Not delivering: .+ECONNREFUSED/);
  const { verdict: shown } = await (await request.get(`${shop.product.url}/api/v1/outboxes/orders/snapshot`)).json();
  await expect(sentence).toContainText(`since ${shown.since.slice(11, 19)}`);
  expect(Date.parse(shown.since)).toBeGreaterThanOrEqual(switchedAt - 2_000);
  expect(Date.parse(shown.since)).toBeLessThanOrEqual(Date.now());
  await expect(verdict).toContainText("no attempts are used up");

  await test.step("the backlog grows and alerting fails", async () => {
    const pending = page.getByRole("region", { name: "Figures" }).getByRole("link", { name: /^Pending/ });
    const waiting = async () => Number(/[\d,]+/.exec(await pending.innerText())?.[0].replaceAll(",", ""));
    const before = await waiting();
    await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(before);
    await expect.poll(async () => (await request.get(`${shop.product.url}/api/health`)).status()).toBe(503);
  });

  await test.step("the next step leads to the cause and changes nothing", async () => {
    await panel.getByRole("button", { name: "Close the demo panel" }).click();
    await verdict.getByRole("link", { name: /^See the cause/ }).click();
    await expect(page).toHaveURL(/\/stuck/);
    const title = page.getByRole("heading", { level: 1 });
    await expect(title).toHaveText(/^Not delivering: .+ECONNREFUSED/);
    const { verdict: now } = await (await request.get(`${shop.product.url}/api/v1/outboxes/orders/findings`)).json();
    const [said] = now.causes[0].sentence.split(";");
    // A card begins its sentence with a capital letter.
    await expect(page.getByTestId("finding").first()).toContainText(said, { ignoreCase: true });
  });

  await expectNothingBurned(pool);

  await test.step("once back, everything is delivered", async () => {
    await page.getByRole("button", { name: /^Demo/ }).click();
    await downSwitch.click();
    await expect(downSwitch).not.toBeChecked();
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Overview" }).click();
    await expect(sentence).toHaveText(/^Delivering/, { timeout: 60_000 });
    await shop.setRate(0);
    await expect.poll(async () => (await pool.query(UNDELIVERED)).rows[0].count, { timeout: 60_000 }).toBe(0);
    await expect.poll(async () => (await request.get(`${shop.product.url}/api/health`)).status()).toBe(200);
  });

  await expectNothingBurned(pool);
});
