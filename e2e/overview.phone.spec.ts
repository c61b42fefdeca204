import type { Locator, Page } from "@playwright/test";
import type { AnswerRule, HttpReceiver } from "#tests/http-receiver.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { EVERY_PAGE } from "./fixtures/pages.ts";
import type { Product } from "./fixtures/product.ts";
import { startRelayedShop } from "./fixtures/relayed-shop.ts";
import { addEvents } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const LONG = "order.something-with-a-name-that-is-far-too-long-for-a-phone.happened";

let product: Product;
let receiver: HttpReceiver;
let deadId: string;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  const answer: AnswerRule = ({ body }) =>
    body.includes("unlucky") ? { status: 422, body: `unknown SKU ${"x".repeat(200)}` } : { status: 204 };
  ({ product, receiver } = await startRelayedShop(database, { answer }));
  const [id] = await addEvents(database.pool, [
    { aggregateId: "order-1-with-a-very-long-aggregate-id-indeed", eventType: LONG, payload: '{"sku": "unlucky"}' },
    { aggregateId: "order-2", eventType: "order.placed" },
  ]);
  deadId = id ?? "";
  await expect
    .poll(async () => (await database.pool.query("SELECT 1 FROM outbox_console.dead_letter")).rows.length)
    .toBe(1);
});

test.afterAll(async () => {
  await product.close();
  await receiver.close();
});

async function expectNoSideways(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${page.url()} scrolls sideways`).toBeLessThanOrEqual(390);
}

async function expectFingerSized(control: Locator): Promise<void> {
  const box = await control.boundingBox();
  expect(box?.height ?? 0, `height of ${await control.innerText()}`).toBeGreaterThanOrEqual(44);
  expect(box?.width ?? 0).toBeGreaterThanOrEqual(44);
}

const topOf = async (locator: Locator) => (await locator.boundingBox())?.y ?? Number.NaN;

test("the overview answers in the order of on-call questions", async ({ page }) => {
  await page.goto(product.url);
  const verdict = page.getByRole("region", { name: "Verdict" });
  const figures = page.getByRole("region", { name: "Figures" });
  const chart = page.getByRole("img", { name: /^In and out: now/ });
  await expect(verdict).toContainText(/1 message of .+ is dead/);
  await expect(chart).toBeVisible();
  const tops = [await topOf(verdict), await topOf(figures), await topOf(chart)];
  expect(tops).toEqual([...tops].sort((a, b) => a - b));
  await expect(verdict).toBeInViewport();
  await expect(figures.getByRole("link").first()).toBeInViewport();
  await expect(page.getByText(/^1 finding, as of \d\d:\d\d:\d\d UTC$/)).toBeAttached();
  await expectFingerSized(verdict.getByRole("link"));
  await expectFingerSized(page.getByRole("button", { name: "Open the menu" }));
  const search = page.getByRole("button", { name: "Find a message, outbox or page" });
  await expectFingerSized(search);
  await expect(page.locator("kbd:visible")).toHaveCount(0);
  await expectNoSideways(page);
});

test("every state is in view with its count, and a link to a finding shows it, or says that it is over", async ({
  page,
}) => {
  await page.goto(`${product.url}/messages?state=archived`);
  const states = page.getByRole("navigation", { name: "Messages by state" }).getByRole("link");
  await expect(states.filter({ hasText: "Dead" })).toContainText("1");
  for (const state of await states.all()) await expect(state).toBeInViewport({ ratio: 1 });

  await page.goto(`${product.url}/stuck?finding=locked-gone`);
  await expect(page.getByText("The finding behind this link is over.")).toBeVisible();
  const finding = page.getByTestId("finding").first();
  await expect(finding).not.toHaveAttribute("aria-current");
  const { outboxes } = await (await page.request.get(`${product.url}/api/v1/outboxes`)).json();
  const path = `${product.url}/api/v1/outboxes/${outboxes[0].name}/findings`;
  const { findings } = await (await page.request.get(path)).json();
  await page.goto(`${product.url}/stuck?finding=${findings.at(-1).id}`);
  await expect(page.locator("[data-testid=finding][aria-current]")).toBeInViewport();
  await expect(page.getByText("is over.")).toHaveCount(0);
});

test("from the menu to a dead letter, its page, and a retry with a thumb", async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto(product.url);
  await page.getByRole("button", { name: "Open the menu" }).tap();
  const menu = page.getByRole("dialog").getByRole("navigation", { name: "Pages" });
  await expectFingerSized(menu.getByRole("link", { name: /^Dead letters/ }));
  await menu.getByRole("link", { name: /^Dead letters/ }).tap();
  await expect(page).toHaveURL(/state=dead/);
  const row = page.getByTestId("message-row");
  await expect(row).toHaveCount(1);
  await expectFingerSized(row);
  await expectNoSideways(page);

  await row.getByRole("link").tap();
  await expect(page).toHaveURL(new RegExp(`/messages/${deadId}`));
  await expect(page.getByTestId("payload-tree")).toBeVisible();
  await expectNoSideways(page);

  const retry = page.getByRole("button", { name: "Retry now" });
  await expectFingerSized(retry);
  await retry.tap();
  const dialog = page.getByRole("dialog", { name: "Retry 1 message" });
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("SKU added");
  await expectFingerSized(dialog.getByRole("button", { name: "Retry", exact: true }));
  await dialog.getByRole("button", { name: "Retry", exact: true }).tap();
  await expect(dialog.getByRole("listitem")).toContainText("Tried, and dead again: HTTP 422: unknown SKU");
  await dialog.getByRole("button", { name: "Close" }).last().tap();

  await retry.tap();
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("SKU added");
  receiver.answerWith({ status: 204 });
  await dialog.getByRole("button", { name: "Retry", exact: true }).tap();
  await expect(dialog.getByRole("listitem")).toContainText("published");
  await expectNoSideways(page);
});

const PAGES = [...["all", "pending", "failed", "published"].map((state) => `/messages?state=${state}`), ...EVERY_PAGE];

/** Controls smaller than a fingertip; a link within a sentence may be as small as its words. */
const readSmall = (page: Page) =>
  page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>("button, a[href], summary, input, select, [role=radio]");
    return [...controls].flatMap((control) => {
      // The tap target is the label, row or cell around it.
      const row = control.closest("[data-testid=message-row], [data-testid=tail-row]");
      const target = row ?? control.closest("label, td") ?? control;
      const box = target.getBoundingClientRect();
      const hidden = !control.checkVisibility() || box.width < 2 || control.closest('p, dd, [href="#main"]') !== null;
      return hidden || (box.height >= 44 && box.width >= 44)
        ? []
        : [
            `${control.tagName} ${control.innerText || control.ariaLabel} ${Math.round(box.width)}x${Math.round(box.height)}`,
          ];
    });
  });

test("no page scrolls sideways, has too small a tap target, or shows keyboard hints", async ({ page }) => {
  test.setTimeout(120_000);
  for (const path of PAGES) {
    await test.step(path, async () => {
      await page.goto(product.url + path);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
      await expectNoSideways(page);
      expect(await readSmall(page), path).toEqual([]);
      await expect(page.locator("kbd:visible")).toHaveCount(0);
    });
  }
});

test("health keeps its limits and its sentences", { tag: IN_DEPTH }, async ({ page }) => {
  await page.goto(`${product.url}/settings`);
  const checks = page.getByRole("table", { name: "Health checks" });
  await expect(checks).toContainText(/limits: warn \S+ \S+, fail/);
  await expect(checks.getByRole("row").filter({ hasText: "dead" }).first()).toContainText(/messages? (is|are) dead\./);
});
