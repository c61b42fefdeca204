import { type DemoShop, startDemoShop } from "./fixtures/demo-shop.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { MENU } from "./fixtures/pages.ts";
import { expect, test } from "./fixtures/test.ts";

let shop: DemoShop;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  shop = await startDemoShop(await makeDatabase("migrated"));
});

test.afterAll(() => shop.close());

test("a newcomer sees a healthy outbox whose figures move", async ({ page, request }) => {
  test.setTimeout(120_000);
  await page.goto(shop.product.url);

  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict.getByRole("heading", { level: 1 })).toHaveText(/^Delivering/);
  await expect(page.getByText("demo", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();

  const figures = page.getByRole("region", { name: "Figures" });
  await expect(figures.getByRole("link")).toHaveCount(6);
  await expect(figures.getByRole("link", { name: /^Relays/ })).toContainText("1 of 1");
  const published = figures.getByRole("link", { name: /^Published/ });
  await expect(published).toContainText(/[\d.]+\/s/);
  const before = await published.innerText();
  await expect.poll(() => published.innerText(), { timeout: 30_000 }).not.toBe(before);

  const health = await request.get(`${shop.product.url}/api/health`);
  expect(health.status()).toBe(200);
  const { rows } = await shop.product.database.pool.query(
    "SELECT count(*)::int AS published FROM shop.outbox_events WHERE published_at IS NOT NULL",
  );
  expect(rows[0].published).toBeGreaterThan(0);
});

test("the charts draw the samples", { tag: IN_DEPTH }, async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto(shop.product.url);
  for (const title of ["In and out", "Oldest not published", "Created to published", "Backlog"]) {
    const chart = page.getByRole("img", { name: new RegExp(`^${title}: now `) });
    await expect(chart).toBeVisible();
    await expect(chart.locator("svg").first()).toBeVisible();
  }
  const rates = page.getByRole("img", { name: /^In and out: now / });
  await expect(rates).not.toHaveAttribute("aria-label", /no data/, { timeout: 60_000 });
});

test("every page opens from the menu, says what it is, and shows no error", { tag: IN_DEPTH }, async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto(shop.product.url);
  const menu = page.getByRole("navigation", { name: "Pages" });
  for (const { label: name } of MENU) {
    await menu.getByRole("link", { name: new RegExp(`^${name}`) }).click();
    await expect(menu.getByRole("link", { name: new RegExp(`^${name}`) })).toHaveAttribute("aria-current", "page");
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
  }
});
