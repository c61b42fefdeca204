import type { Page, Route } from "@playwright/test";
import { Product } from "./fixtures/product.ts";
import { addEvents, createOutbox, OUTBOX, relayConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const OTHER = "billing";
/** More than a page of the list has. */
const EVENTS = Array.from({ length: 60 }, (_, n) => ({ aggregateId: `order-${n}`, eventType: "order.placed" }));
/** The page of a group's notes, or of their changes. */
const MEMORY = /\/failure-groups\/fx$/;

let product: Product;
let ids: string[];

/** No worker runs: nothing changes but by what a test does. */
test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await createOutbox(database.pool);
  await database.pool.query("CREATE TABLE other_events (LIKE outbox_events INCLUDING ALL)");
  ids = await addEvents(database.pool, EVENTS);
  await database.pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, event_type, attempts, next_attempt_at, last_error_code, last_error, first_failed_at, last_failed_at, fingerprint)
     VALUES ($1, $2, 'order/order-0', 'order.placed', 3, now() + interval '1 hour', 'server_error', 'HTTP 500: no FX rate', now(), now(), 'fx')`,
    [OUTBOX, ids[0]],
  );
  const config = relayConfig("http://127.0.0.1:9", { corrections: true });
  product = await Product.start({
    database,
    config: (url) => {
      const whole = config(url);
      const other = { store: "shop", table: "public.other_events", mode: "operate" };
      return { ...whole, outboxes: { ...whole.outboxes, [OTHER]: other } };
    },
  });
});

test.afterAll(() => product.close());

const openGroup = (page: Page) => page.goto(`${product.url}/failures/fx?outbox=${OUTBOX}`);
const openList = (page: Page, outbox: string) => page.goto(`${product.url}/messages?state=pending&outbox=${outbox}`);

test("the back button takes a dialog with its list, and no dialog of another list appears later", async ({ page }) => {
  const dialog = page.getByRole("dialog");
  const tabs = page.getByRole("navigation", { name: "Messages by state" });

  await test.step("from a selection to another outbox", async () => {
    await openList(page, OTHER);
    await page.getByRole("button", { name: `Outbox: ${OTHER}, change` }).click();
    await page.getByRole("menuitem", { name: OUTBOX }).click();
    await expect(page).toHaveURL(new RegExp(`outbox=${OUTBOX}`));
    await page.getByRole("checkbox", { name: new RegExp(ids[1] as string) }).click();
    await page
      .getByRole("toolbar")
      .getByRole("button", { name: /^Dead-letter/ })
      .click();
    await dialog.getByRole("textbox", { name: /Reason/ }).fill("will never be accepted");
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`outbox=${OTHER}`));
    await expect(dialog, "it would act on the other outbox").toHaveCount(0);
  });

  await test.step("from all that match a filter to another filter", async () => {
    await openList(page, OUTBOX);
    await tabs.getByRole("link", { name: /^All states/ }).click();
    await expect(page).toHaveURL(/state=all/);
    await expect(page.getByTestId("message-row")).toHaveCount(50);
    await page.keyboard.press("A");
    await expect(page.getByTestId("selection-bar")).toContainText("that match selected");
    await page.keyboard.press("d");
    await expect(dialog).toContainText("messages in any state");
    await page.goBack();
    await expect(page).toHaveURL(/state=pending/);
    await expect(dialog).toHaveCount(0);
    await expect(page.getByTestId("message-row")).toHaveCount(50);
    await page.keyboard.press("A");
    await expect(page.getByTestId("selection-bar")).toContainText("that match selected");
    await expect(dialog, "nobody has asked for it").toHaveCount(0);
  });
});

const LIST = /\/api\/v1\/outboxes\/[^/]+\/messages\?/;

test("messages that were acted on leave the list, though the list is read again after their dialog", async ({
  page,
}) => {
  await openList(page, OUTBOX);
  const rows = page.getByTestId("message-row");
  const acted = ids.slice(2, 4).map((id) => page.getByRole("checkbox", { name: new RegExp(id) }));
  for (const box of acted) await box.click();
  await page
    .getByRole("toolbar")
    .getByRole("button", { name: /^Dead-letter/ })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("will never be accepted");
  const [asked, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(LIST, async (route) => {
    asked.resolve();
    await closed.promise;
    await route.continue();
  });
  await dialog.getByRole("button", { name: "Dead-letter", exact: true }).click();
  await expect(dialog.getByRole("status")).toHaveText("2 dead-lettered.");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await asked.promise;
  closed.resolve();
  await expect(rows).toHaveCount(48);
  for (const box of acted) await expect(box).toHaveCount(0);
  await expect(page.getByRole("button", { name: /gone/ })).toHaveCount(0);
});

test("a list that is opened again and first fails to be read shows the next reading as its own", async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/status of 503/);
  await openList(page, OTHER);
  await expect(page.getByTestId("message-row")).toHaveCount(0);
  await page.getByRole("button", { name: `Outbox: ${OTHER}, change` }).click();
  await page.getByRole("menuitem", { name: OUTBOX }).click();
  await expect(page.getByTestId("message-row")).toHaveCount(50);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(`outbox=${OTHER}`));

  const silent = { error: { code: "unavailable", message: "The database does not answer." } };
  await page.route(LIST, (route) => route.fulfill({ status: 503, json: silent }));
  const { pool } = product.database;
  await pool.query("UPDATE outbox_events SET published_at = now() WHERE id = ANY($1)", [ids.slice(10, 13)]);
  await page.goForward();
  await expect(page.getByText("The messages could not be read.")).toBeVisible();
  await page.unroute(LIST);
  await expect(page.getByText("The messages could not be read.")).toHaveCount(0);
  await expect(page.getByRole("checkbox", { name: new RegExp(ids[10] as string) })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /gone/ })).toHaveCount(0);
});

test("what is typed while a note is being kept stays in the field", async ({ page }) => {
  await openGroup(page);
  const note = page.getByRole("textbox", { name: "Note" });
  const sent = Promise.withResolvers<Route>();
  await page.route(MEMORY, (route) => (route.request().method() === "POST" ? sent.resolve(route) : route.continue()));
  await note.fill("pricing lost its rate table");
  await note.press("Control+Enter");
  const kept = await sent.promise;
  await note.fill("v413 builds");
  await kept.continue();
  await expect(page.getByRole("list", { name: "Notes" })).toContainText("pricing lost its rate table");
  await expect(note).toHaveValue("v413 builds");
});

test("a pause whose answer is lost stays the question that was asked", async ({ page, expectedNoise }) => {
  expectedNoise.push(/ERR_/);
  await page.goto(`${product.url}/relays?outbox=${OUTBOX}`);
  await page.getByRole("button", { name: `Pause ${OUTBOX}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("the sink is being moved");
  await page.route(/\/pause$/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole("button", { name: "Pause", exact: true }).click();
  await expect(page.getByRole("main")).toContainText(`${OUTBOX} is paused`);
  await expect(dialog.getByRole("heading", { name: `Pause ${OUTBOX}` })).toBeVisible();
  await expect(dialog.getByRole("alert")).toContainText("It may have been done.");
  await expect(dialog.getByRole("textbox", { name: /Reason/ })).toHaveValue("the sink is being moved");
});

test("an incident that somebody else opens meanwhile does not close the dialog", async ({ page, expectedNoise }) => {
  expectedNoise.push(/status of 409/);
  await openGroup(page);
  await page.getByRole("button", { name: "Open an incident…" }).click();
  const dialog = page.getByRole("dialog", { name: "Open an incident" });
  await dialog.getByRole("textbox", { name: "Title" }).fill("Checkout cannot price");
  const theirs = { title: "Orders are stuck", lead: null, besides: [], outboxes: [], group: null };
  expect((await page.request.post(`${product.url}/api/v1/incidents`, { data: theirs })).status()).toBe(200);
  await dialog.getByRole("button", { name: "Open the incident" }).click();
  await expect(dialog).toContainText("Orders are stuck");
  await expect(dialog.getByRole("textbox", { name: "Title" })).toHaveValue("Checkout cannot price");
});

test("a database that is silent for a moment takes no letter from the editor", async ({ page, expectedNoise }) => {
  expectedNoise.push(/status of 503/);
  await page.goto(`${product.url}/messages/${ids[0]}/edit?outbox=${OUTBOX}`);
  const payload = page.getByRole("textbox", { name: "Payload" });
  await payload.fill('{"aggregate": "order-0", "total": 1');
  const silent = { error: { code: "unavailable", message: "The database does not answer." } };
  await page.route("**/api/v1/**", (route) => route.fulfill({ status: 503, json: silent }));
  await expect(page.getByRole("status").filter({ hasText: "nothing can be changed now" })).toBeVisible();
  await page.keyboard.type("0}");
  await expect(payload).toHaveValue('{"aggregate": "order-0", "total": 10}');
  await page.unroute("**/api/v1/**");
  await expect(page.getByRole("button", { name: "See the difference…" })).toBeEnabled();
});

test("a session that ends under a half-written note does not take it along", async ({ page, expectedNoise }) => {
  expectedNoise.push(/status of 401/);
  await openGroup(page);
  const note = page.getByRole("textbox", { name: "Note" });
  await note.fill("half a sentence");
  const ended = { error: { code: "unauthenticated", message: "Sign in first." } };
  await page.route("**/api/v1/**", (route) => route.fulfill({ status: 401, json: ended }));
  const said = page.getByRole("alert").filter({ hasText: "Your session has ended." });
  await expect(said.getByRole("link", { name: "Sign in in another tab" })).toBeVisible();
  await expect(note).toHaveValue("half a sentence");
  await page.unroute("**/api/v1/**");
  await expect(said).toHaveCount(0);
  await page.route("**/api/v1/**", (route) => route.fulfill({ status: 401, json: ended }));
  await note.fill("");
  await expect(page).toHaveURL(/\/sign-in\?ended=reading/);
});

test("a session that has ended does not take along the reason of the action that is refused", async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/status of 401/);
  await openList(page, OUTBOX);
  await page.getByRole("checkbox", { name: new RegExp(ids[1] as string) }).click();
  await page
    .getByRole("toolbar")
    .getByRole("button", { name: /^Dead-letter/ })
    .click();
  const reason = page.getByRole("dialog").getByRole("textbox", { name: /Reason/ });
  await reason.fill("will never be accepted");
  const ended = { error: { code: "unauthenticated", message: "Sign in first." } };
  await page.route("**/api/v1/**", (route) => route.fulfill({ status: 401, json: ended }));
  await reason.press("Control+Enter");
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("so this was not done");
  await expect(reason).toHaveValue("will never be accepted");
});
