import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { DynamodbShop } from "./fixtures/dynamodb-shop.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { actOn, expectExport, openTab } from "./fixtures/operator.ts";
import { EVERY_PAGE } from "./fixtures/pages.ts";
import { Product } from "./fixtures/product.ts";
import { startProgram } from "./fixtures/program.ts";
import { expect, test } from "./fixtures/test.ts";

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
  test("an observed outbox is shown on every page, with what cannot be done, and nothing is changed", {
    tag: IN_DEPTH,
  }, async ({ page, makeDatabase, expectedNoise }) => {
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
        for (const path of [...EVERY_PAGE, "/messages?state=pending"]) {
          await page.goto(product.url + path);
          await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
          await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
        }
        await page.goto(`${product.url}/settings`);
        await expect(page.getByText(/capacity units of this minute/)).toBeVisible();
        await expect(page.getByText("Counts are exact while the table is small")).toBeVisible();
        await openTab(page, "pending", 12, product.url);
        await expectExport(page, product.url, 12);
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

  test("dead-letters, archives, restores and retries, and every item comes back as it was", {
    tag: IN_DEPTH,
  }, async ({ page, makeDatabase }) => {
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
      await openTab(page, "pending", 4, product.url);
      await actOn(page, chosen, "Dead-letter", "2 dead-lettered.");
      expect(Object.keys(await shop.readItems()).sort()).toEqual([ids[0], ids[3]].sort());
      await openTab(page, "dead", 2, product.url);
      await actOn(page, chosen, "Archive", "2 archived.");
      await openTab(page, "archived", 2, product.url);
      await actOn(page, chosen, "Restore", "2 restored.");
      await openTab(page, "dead", 2, product.url);
      await actOn(page, chosen, "Retry", "2 queued for another try.");
      await openTab(page, "pending", 4, product.url);
      expect(await shop.readItems()).toEqual(original);
      expect(await shop.countAudit()).toBe(8);
      await page.close();
    } finally {
      await product.close();
      await ours.dropByForce();
    }
  });
});
