import { Product } from "./fixtures/product.ts";
import { shoot } from "./fixtures/shoot.ts";
import { createOutbox, operateConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

let product: Product;

const config = (url: string) => ({
  ...operateConfig(url),
  inboxes: {
    loyalty: { store: "shop", table: "public.processed_events", outbox: "orders", processWithin: "5m" },
    mailer: { store: "shop", table: "public.mailed_events" },
  },
});

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await createOutbox(database.pool);
  await database.pool.query(
    `CREATE TABLE processed_events (event_id uuid PRIMARY KEY, processed_at timestamptz NOT NULL);
     CREATE TABLE mailed_events (event_id uuid PRIMARY KEY, processed_at timestamptz NOT NULL);
     INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, created_at, published_at)
     SELECT 'order', 'order-' || n, CASE WHEN n % 3 = 0 THEN 'order.paid' ELSE 'order.placed' END, '{}',
       now() - n * interval '10 minutes', now() - n * interval '10 minutes' FROM generate_series(1, 120) n;
     INSERT INTO processed_events SELECT id, published_at FROM outbox_events WHERE position NOT IN (7, 8, 31);
     INSERT INTO processed_events VALUES ('00000000-0000-4000-8000-000000000777', now() - interval '3 hours')`,
  );
  product = await Product.start({ database, config });
});

test.afterAll(() => product.close());

test("an operator finds the published messages that a consumer never processed, and opens one", async ({ page }) => {
  await page.goto(`${product.url}/stuck?outbox=orders`);
  const finding = page.getByText(/the consumer of inbox loyalty has not processed 3 messages/).first();
  await expect(finding).toBeVisible({ timeout: 20_000 });

  await page.goto(`${product.url}/inbox?outbox=orders&inbox=loyalty`);
  const missed = page.getByRole("region", { name: "Published by orders, processed by loyalty" });
  await expect(missed.getByText(/^120 messages created between .* all that are published/)).toBeVisible();
  await expect(missed.getByTestId("missed-message")).toHaveCount(3);
  const unmatched = page.getByRole("region", { name: "Received by loyalty, known to orders" });
  await expect(unmatched.getByTestId("unmatched-row")).toHaveCount(1);
  await shoot(page, "checked");

  await test.step("a row of no message is looked up, and another inbox begins without that filter", async () => {
    await unmatched.getByTestId("unmatched-row").getByRole("link").click();
    const field = page.getByRole("searchbox", { name: "Filter by an exact message id" });
    await expect(field).toHaveValue("00000000-0000-4000-8000-000000000777");
    await page.goBack();
    await expect(field).toHaveValue("");
    await page.goForward();
    await page.getByRole("region", { name: "Inbox mailer" }).getByRole("button").click();
    await expect(page).toHaveURL(/inbox=mailer/);
    await expect(page).not.toHaveURL(/q=/);
    await page.getByRole("region", { name: "Inbox loyalty" }).getByRole("button").click();
  });

  await missed.getByTestId("missed-message").first().getByRole("link").click();
  await expect(page).toHaveURL(/\/messages\//);

  await page.goto(`${product.url}/inbox?outbox=orders&inbox=mailer`);
  await page.getByText("What to add").click();
  await expect(page.getByText("Does it receive the messages of orders?")).toBeVisible();
  await expect(page.getByText("processWithin: 5m")).toBeVisible();
  await shoot(page, "question");
});
