import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { startDemoShop } from "../fixtures/demo-shop.ts";
import { expect, test } from "../fixtures/test.ts";

/** So that the charts of 15 minutes have something to show. */
const HEALTHY_MS = 10 * 60_000;
const FAULT_MS = 2 * 60_000;
const PHONE = { width: 390, height: 844 };

const take = (page: Page, name: string, fullPage = false) =>
  page.screenshot({ path: join(resolve("docs/images"), `${name}.png`), fullPage, animations: "disabled" });

test.use({ deviceScaleFactor: 1 });

test("the pictures of the documents", async ({ page, browser, makeDatabase }) => {
  const shop = await startDemoShop(await makeDatabase("migrated"));
  try {
    await page.goto(shop.product.url);
    const banner = page.getByRole("region", { name: "Verdict" });
    await page.waitForTimeout(HEALTHY_MS);
    await expect(banner).toContainText("Delivering");
    await take(page, "overview");
    await switchFault(shop.product.url, true);
    await page.waitForTimeout(FAULT_MS);
    await expect(banner).toContainText("Not delivering");
    await take(page, "not-delivering");
    const phone = await browser.newPage({ viewport: PHONE, deviceScaleFactor: 2, isMobile: true });
    await phone.goto(shop.product.url);
    await expect(phone.getByRole("region", { name: "Verdict" })).toContainText("Not delivering");
    await expect(phone.getByText("Watching since")).toBeVisible();
    // Three lines and three areas, of four charts.
    await expect(phone.locator(".recharts-line, .recharts-area").nth(5)).toBeVisible();
    await take(phone, "phone", true);
    await phone.close();
  } finally {
    // A page that is open while the console ends would report errors.
    await page.close();
    await shop.close();
  }
});

async function switchFault(url: string, active: boolean): Promise<void> {
  const response = await fetch(`${url}/api/v1/demo`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url },
    body: JSON.stringify({ fault: "gateway-down", active }),
  });
  if (!response.ok) throw new Error(`The demo answered ${response.status}: ${await response.text()}`);
}
