import type { Page } from "@playwright/test";
import { Product } from "./fixtures/product.ts";
import { createOutbox, operateConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

let product: Product;
const ID = "00000000-0000-4000-8000-00000000a5c1";

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await createOutbox(database.pool);
  await database.pool.query(
    `INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type, payload)
     VALUES ($1, 'order', 'ord-1', 'order.placed', '{"orderId": "ord-1", "customer": {"email": "ann@example.org", "name": "Ann"}, "total": 12.10}')`,
    [ID],
  );
  const masking = { patterns: ["email"], paths: ["customer.name"] };
  product = await Product.start({ database, config: (url) => ({ ...operateConfig(url), masking }) });
});

test.afterAll(async () => {
  await product.close();
});

const payloadOf = (page: Page) => page.getByRole("region", { name: "Payload" });

test("a masked message is revealed with a reason, masked again, and the audit tells who saw it", async ({ page }) => {
  await page.goto(`${product.url}/messages/${ID}`);
  const payload = payloadOf(page);
  await expect(page.getByText("2 values are masked.")).toBeVisible();
  await expect(payload.getByTestId("payload-tree")).toContainText('"email": "[masked]"');
  await expect(payload.getByTestId("payload-tree")).toContainText("12.10");
  await expect(page.locator("body")).not.toContainText("ann@example.org");

  await page.getByRole("button", { name: "Reveal…" }).click();
  const dialog = page.getByRole("dialog", { name: "Reveal this message" });
  await dialog.getByLabel("Reason").fill("customer asks why the mail bounced");
  await dialog.getByRole("button", { name: "Reveal", exact: true }).click();
  await expect(payload.getByTestId("payload-tree")).toContainText("ann@example.org");
  await expect(page.getByText("Shown as it is stored, until you leave this message.")).toBeVisible();

  await page.getByRole("button", { name: "Mask again" }).click();
  await expect(payload.getByTestId("payload-tree")).toContainText("[masked]");
  await expect(page.locator("body")).not.toContainText("ann@example.org");

  await page.goto(`${product.url}/audit`);
  await expect(page.getByRole("row", { name: /message.reveal/ })).toBeVisible();
  await expect(page.getByRole("row", { name: /customer asks why the mail bounced/ })).toBeVisible();
});
