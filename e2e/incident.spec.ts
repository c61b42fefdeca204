import { shoot } from "./fixtures/shoot.ts";
import { addEvents, emptyOutbox, OUTBOX } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const ERROR = "HTTP 500: no FX rate for XBT";

test("a night with a failure group: claimed, noted, resolved, and back again", async ({ page, operated }) => {
  const { pool } = operated.database;
  await emptyOutbox(pool);
  const ids = await addEvents(
    pool,
    [1, 2, 3, 4].map((n) => ({ aggregateId: `order-${n}`, eventType: "order.placed" })),
  );
  const fail = (id: string | undefined, minutesAgo: number) =>
    pool.query(
      `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, event_type, attempts, next_attempt_at, last_error_code, last_error, first_failed_at, last_failed_at, fingerprint)
       VALUES ($1, $2, 'order/order-1', 'order.placed', 3, now() + interval '1 hour', 'server_error', $3, now() - make_interval(mins => $4), now() - make_interval(mins => $4), 'fx')`,
      [OUTBOX, id, ERROR, minutesAgo],
    );
  await fail(ids[0], 300);
  await fail(ids[1], 130);
  await fail(ids[2], 20);

  const deployed = { service: "pricing", version: "412", at: new Date(Date.now() - 302.5 * 60_000).toISOString() };
  expect((await page.request.post(`${operated.url}/api/v1/deploys`, { data: deployed })).status()).toBe(200);

  await page.goto(`${operated.url}/failures`);
  await page.getByRole("link", { name: "Consumer error", exact: true }).click();
  const panel = page.getByRole("region", { name: /is on it|are on it/ });
  await expect(panel.getByRole("button", { name: "I am on it" })).toBeVisible();
  await page.keyboard.press("c");
  await expect(panel.getByRole("heading", { name: "You are on it" })).toBeVisible();
  await page.keyboard.press("n");
  await page.keyboard.type("pricing lost its rate table; v413 builds");
  await page.keyboard.press("Control+Enter");
  await expect(panel.getByRole("listitem")).toContainText("v413 builds");
  await panel.getByRole("button", { name: "Resolve" }).click();
  await expect(panel).toContainText("nothing has failed with this error since");
  await expect(page.getByText(/New since deploy pricing 412 .* the first failure came 2 m/)).toBeVisible();
  await expect(page.getByRole("region", { name: "Where" })).toContainText("not recorded");
  await shoot(page, "group");

  await fail(ids[3], 0);
  await expect(panel).toContainText("It came back");
  const sample = page.getByRole("region", { name: "Sample in full" });
  await expect(sample).toContainText("order-3");
  await sample.getByRole("button", { name: "show the newest" }).click();
  await expect(sample).toContainText("order-4");
  await expect(sample.getByRole("button")).toHaveCount(1);
  await page.goto(`${operated.url}/failures`);
  await expect(
    page.getByRole("row", { name: /came back after .* resolved it.*1 note.*4 new in 24 hours, steady/ }),
  ).toBeVisible();
  await shoot(page, "failures");

  await test.step("the same failures by error code and by type, without notes", async () => {
    await page.keyboard.press("b");
    await expect(page).toHaveURL(/by=code/);
    await expect(page.getByRole("radio", { name: "Error code" })).toBeChecked();
    await shoot(page, "failures-by-code");
    await page.getByRole("link", { name: "Open Consumer error" }).click();
    await expect(page).toHaveTitle(/^Consumer error: failures of /);
    await expect(page.getByRole("button", { name: "Retry 4…" })).toBeVisible();
    const texts = page.getByRole("region", { name: "By error text" });
    await expect(texts).toContainText("belong to a group by error text");
    await expect(page.getByRole("region", { name: "Where" })).toContainText("not recorded");
    await shoot(page, "group-by-code");
    await page.getByRole("link", { name: "Failures", exact: true }).first().click();
    // By its group: the page that is left names types, too.
    await page.getByRole("radiogroup", { name: "Group by" }).getByText("Type", { exact: true }).click();
    await expect(page).toHaveURL(/by=type/);
    await expect(page.getByRole("row", { name: /order\.placed/ })).toBeVisible();
  });

  await page.goto(`${operated.url}/failures/fx`);
  await expect(page).toHaveTitle(/no FX rate for XBT/);
  await page.getByRole("button", { name: "Open an incident…" }).click();
  const opening = page.getByRole("dialog", { name: "Open an incident" });
  await opening.getByRole("textbox", { name: "Title" }).fill("Checkout cannot price");
  await opening.getByRole("button", { name: "Open the incident" }).click();
  await expect(
    page.getByRole("heading", { level: 1, name: /Incident \d+, ongoing for .*: Checkout cannot price/ }),
  ).toBeVisible();
  await expect(page).toHaveTitle(/^Checkout cannot price · incident \d+ · /);
  await page.getByRole("textbox", { name: "Note" }).fill("v413 is out");
  await page.getByRole("button", { name: "Add" }).click();
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline.getByRole("listitem").first()).toContainText("v413 is out");
  for (const entry of ["Deploy pricing 412", "Resolved a failure group", "Incident opened"])
    await expect(timeline.getByText(entry)).toBeVisible();
  await shoot(page, "incident");
  await page.getByRole("button", { name: "Hand over…" }).click();
  const to = page.getByRole("textbox", { name: "Hand over to" });
  await expect(to).toBeFocused();
  await expect(page.getByRole("button", { name: "End the incident…" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(to).toHaveCount(0);

  await page.goto(`${operated.url}/messages`);
  await shoot(page, "line");
  await page.getByRole("complementary", { name: "Open incidents" }).getByRole("link").click();
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toMatch(/^incident-\d+\.md$/);
  await page.getByRole("button", { name: "End the incident…" }).click();
  const ending = page.getByRole("dialog", { name: /^End incident/ });
  await ending.getByRole("textbox", { name: /Outcome/ }).fill("v413 has the rate table back");
  await ending.getByRole("button", { name: "End the incident" }).click();
  await expect(page.getByRole("heading", { level: 1, name: /ended after/ })).toBeVisible();
  await page.goto(`${operated.url}/incidents`);
  await expect(
    page.getByRole("row", { name: /Checkout cannot price.*v413 has the rate table back.*ended/ }),
  ).toBeVisible();
  await expect(page.getByRole("complementary", { name: "Open incidents" })).toHaveCount(0);
  await shoot(page, "incidents");
});
