import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Page } from "@playwright/test";
import { DynamodbShop } from "./fixtures/dynamodb-shop.ts";
import { Product } from "./fixtures/product.ts";
import { startProgram } from "./fixtures/program.ts";
import { OUTBOX } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

async function openTab(page: Page, product: Pick<Product, "url">, state: string, rows: number): Promise<void> {
  await page.goto(`${product.url}/messages?state=${state}&outbox=${OUTBOX}`);
  await expect(page.getByTestId("message-row")).toHaveCount(rows);
}

/** Selects the messages and presses the action of the selection bar. */
async function act(page: Page, ids: readonly string[], action: string, summary: string): Promise<void> {
  for (const id of ids) await page.getByRole("checkbox", { name: new RegExp(id) }).click();
  const bar = page.getByRole("toolbar", { name: "Selected messages" });
  await bar.getByRole("button", { name: new RegExp(`^${action}`) }).click();
  const dialog = page.getByRole("dialog", { name: new RegExp(`^${action}`) });
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-42");
  await dialog.getByRole("button", { name: action, exact: true }).click();
  await expect(dialog.getByRole("status")).toHaveText(summary);
  await dialog.getByRole("button", { name: "Close" }).last().click();
}

/** `npm run migrate` over the shop's server. */
async function migrate(shop: DynamodbShop, consoleUrl: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-e2e-"));
  const path = join(folder, "outbox.yaml");
  writeFileSync(path, JSON.stringify(shop.config("operate", consoleUrl)(shop.url)));
  const env = { ...shop.env, OUTBOX_CONFIG: path };
  const program = startProgram({ name: "migrate", args: [resolve("services/migrate/migrate-cli.ts")], env });
  await program.ended().catch(() => undefined);
  rmSync(folder, { recursive: true, force: true });
}

test.describe("over DynamoDB", () => {
  test("an observed outbox is shown on every page, with what cannot be done, and nothing is changed", async ({
    page,
    makeDatabase,
    expectedNoise,
  }) => {
    expectedNoise.push(/status of 503 .*\/api\/health\)$/);
    const shop = await DynamodbShop.start();
    const ours = await makeDatabase("migrated");
    try {
      await shop.addEvents(
        Array.from({ length: 12 }, (_, n) => ({ aggregateId: `order-${n % 3}`, eventType: "order.placed" })),
      );
      const before = await shop.readEverything();
      const config = shop.config("observe", ours.url);
      const product = await Product.start({ database: shop.database, config, env: () => shop.env });
      try {
        await product.startWorker({ owns: null });
        for (const path of ["/", "/messages?state=pending", "/failures", "/stuck", "/inbox", "/relays", "/settings"]) {
          await page.goto(product.url + path);
          await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
          await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
        }
        await expect(page.getByText("No relay of this console publishes from this kind of store")).toBeVisible();
        await openTab(page, product, "pending", 12);
        await page.getByTestId("message-row").first().getByRole("link").press("Enter");
        await expect(page.getByTestId("payload-tree")).toContainText("order-");
        await expect(page.getByRole("button", { name: /^Dead-letter/ })).toHaveAttribute("aria-disabled", "true");
        await page.close();
      } finally {
        await product.stopPrograms();
        await product.line.close();
      }
      expect(await shop.readEverything()).toEqual(before);
    } finally {
      await shop.close();
      await ours.dropByForce();
    }
  });

  test("dead-letters, archives, restores and retries, and every item comes back as it was", async ({
    page,
    makeDatabase,
  }) => {
    const shop = await DynamodbShop.start();
    const ours = await makeDatabase("migrated");
    await migrate(shop, ours.url);
    const config = shop.config("operate", ours.url);
    const product = await Product.start({ database: shop.database, config, env: () => shop.env });
    try {
      const payload = '{"big": 9007199254740993, "name": "Žofie 😀"}';
      const ids = await shop.addEvents(
        Array.from({ length: 4 }, (_, n) => ({ aggregateId: `order-${n}`, eventType: "order.placed", payload })),
      );
      const original = await shop.readItems();
      const chosen = ids.slice(1, 3);
      await openTab(page, product, "pending", 4);
      await act(page, chosen, "Dead-letter", "2 dead-lettered.");
      expect(Object.keys(await shop.readItems()).sort()).toEqual([ids[0], ids[3]].sort());
      await openTab(page, product, "dead", 2);
      await act(page, chosen, "Archive", "2 archived.");
      await openTab(page, product, "archived", 2);
      await act(page, chosen, "Restore", "2 restored.");
      await openTab(page, product, "dead", 2);
      await act(page, chosen, "Retry", "2 queued for another try.");
      await openTab(page, product, "pending", 4);
      expect(await shop.readItems()).toEqual(original);
      expect(await shop.countAudit()).toBe(8);
      await page.close();
    } finally {
      await product.close();
      await ours.dropByForce();
    }
  });
});
