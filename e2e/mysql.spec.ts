import { migrateStoreSide } from "#db/stores/mysql/own-schema/migrate.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { MysqlShop } from "./fixtures/mysql-shop.ts";
import { actOn, expectExport, openTab } from "./fixtures/operator.ts";
import { EVERY_PAGE } from "./fixtures/pages.ts";
import { Product } from "./fixtures/product.ts";
import { OUTBOX } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const OWN = { database: "outbox_console" };
const SERVERS_START_WITHIN_MS = 180_000;

test.describe("over MySQL", () => {
  test.setTimeout(SERVERS_START_WITHIN_MS);

  test("a first start with a mysql URL shows the outbox and the inbox, and changes nothing", {
    tag: IN_DEPTH,
  }, async ({ page, makeDatabase, expectedNoise }) => {
    expectedNoise.push(/status of 503 .*\/api\/health\)$/);
    const shop = await MysqlShop.start();
    const ours = await makeDatabase("migrated");
    try {
      await shop.addEvents(
        Array.from({ length: 12 }, (_, n) => ({ aggregateId: `order-${n % 3}`, eventType: "order.placed" })),
      );
      const before = await shop.readEverything();
      const product = await Product.start({ database: shop.database, env: () => ({ OUTBOX_EMBEDDED_URL: ours.url }) });
      try {
        await product.startWorker({ owns: null });
        for (const path of [...EVERY_PAGE, "/messages?state=pending"]) {
          await page.goto(product.url + path);
          await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
          await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
        }
        await page.goto(`${product.url}/messages?state=pending`);
        await expect(page.getByTestId("message-row")).toHaveCount(12);
        await expectExport(page, product.url, 12);
        await page.getByTestId("message-row").first().getByRole("link").press("Enter");
        await expect(page.getByTestId("payload-tree")).toContainText("order-");
        await expect(page.getByRole("button", { name: /^Dead-letter/ })).toHaveAttribute("aria-disabled", "true");
        await page.close();
      } finally {
        await product.stopPrograms();
        await product.line.close();
      }
      await expect.poll(() => shop.countSessions()).toBe(0);
      expect(await shop.readEverything()).toEqual(before);
    } finally {
      await shop.close();
      await ours.dropByForce();
    }
  });

  test("dead-letters, archives, restores and retries, and every row comes back as it was; then the relay publishes", {
    tag: IN_DEPTH,
  }, async ({ page, makeDatabase }) => {
    const shop = await MysqlShop.start();
    const ours = await makeDatabase("migrated");
    await migrateStoreSide(shop.url, OWN);
    const receiver: HttpReceiver = await startHttpReceiver();
    const product = await Product.start({ database: shop.database, config: shop.config(ours.url, receiver.url) });
    try {
      const payload = '{"big": 9007199254740993, "name": "Žofie 😀"}';
      const ids = await shop.addEvents(
        Array.from({ length: 4 }, (_, n) => ({ aggregateId: `order-${n}`, eventType: "order.placed", payload })),
      );
      const original = await shop.readRows();
      const chosen = ids.slice(1, 3);
      await openTab(page, "pending", 4, product.url);
      await actOn(page, chosen, "Dead-letter", "2 dead-lettered.");
      expect(Object.keys(await shop.readRows())).toEqual([ids[0], ids[3]]);
      await openTab(page, "dead", 2, product.url);
      await actOn(page, chosen, "Archive", "2 archived.");
      await openTab(page, "archived", 2, product.url);
      await actOn(page, chosen, "Restore", "2 restored.");
      await openTab(page, "dead", 2, product.url);
      await actOn(page, chosen, "Retry", "2 queued for another try.");
      expect(await shop.readRows()).toEqual(original);
      const audit = await shop.query("SELECT action FROM outbox_console.audit ORDER BY id");
      expect(audit).toHaveLength(8);

      await product.startWorker({ owns: OUTBOX });
      // A list that is open shows newcomers when asked only.
      await expect
        .poll(async () => (await shop.query("SELECT id FROM outbox WHERE published_at IS NOT NULL")).length)
        .toBe(4);
      await openTab(page, "published", 4, product.url);
      expect(receiver.requests).toHaveLength(4);
      expect(JSON.stringify(receiver.requests.map(({ body }) => body.toString("utf8")))).toContain("9007199254740993");
      await page.goto(product.url);
      await expect(page.getByRole("region", { name: "Verdict" })).toContainText("Delivering");
      // Its requests would fail once the product stops.
      await page.close();
    } finally {
      await product.close();
      await receiver.close();
      await ours.dropByForce();
    }
  });
});
