import type { Page } from "@playwright/test";
import { askByKey } from "./fixtures/ask-by-key.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { addEvents, emptyOutbox, OUTBOX } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

/** In the list's order: oldest first. */
let ids: string[];

test.use({ baseURL: ({ operated }, use) => use(operated.url) });

test.beforeEach(async ({ page, operated }) => {
  const { pool } = operated.database;
  await emptyOutbox(pool);
  const events = [1, 2, 3, 4].map((n) => ({ aggregateId: `order-${n}`, eventType: `order.step${n}` }));
  ids = await addEvents(pool, events);
  await pool.query(
    `INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, event_type, created_at, attempts, next_attempt_at, first_error, last_error, last_error_code, last_failed_at)
     SELECT $1, id::text, aggregate_id, event_type, created_at, 1, now() + interval '1 day', 'HTTP 500', 'HTTP 500', 'server_error', now() FROM outbox_events`,
    [OUTBOX],
  );
  await page.goto(`/messages?outbox=${OUTBOX}`);
  await expect(page.getByTestId("message-row")).toHaveCount(4);
});

const rowOf = (page: Page, id: string) => page.locator(`[data-testid=message-row][data-message-id="${id}"]`);
const STILL_TO_BE_SENT = /still to be sent: dead-letter it first/;
const SCRIPTS = "**/_next/static/**/*.js*";

/** Scripts asked for from now on wait until they are released; `asked` resolves with the first. */
async function holdScripts(page: Page): Promise<{ asked: Promise<void>; release: () => void }> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  return { asked: asked.promise, release: () => released.resolve() };
}

const focusedRow = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest("[data-message-id]")?.getAttribute("data-message-id") ?? null);

test("j and k walk the list and open each message in the side panel", { tag: IN_DEPTH }, async ({ page }) => {
  for (const [key, index] of [
    ["j", 0],
    ["j", 1],
    ["j", 2],
    ["k", 1],
  ] as const) {
    await page.keyboard.press(key);
    const id = ids[index] ?? "";
    await expect(page.getByTestId("message-panel")).toHaveAttribute("data-message-id", id);
    await expect.poll(() => focusedRow(page)).toBe(id);
  }
  await page.keyboard.press("Escape");
  await expect(page.getByTestId("message-panel")).toHaveCount(0);
  await expect.poll(() => focusedRow(page)).toBe(ids[1] ?? "");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/messages/${ids[1]}`));
});

test("x selects, r retries with a reason, Escape clears everything", async ({ page, operated }) => {
  const { pool } = operated.database;
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await expect(page.getByTestId("selection-bar")).toContainText("2 selected");

  const dialog = page.getByRole("dialog", { name: "Retry 2 messages" });
  await askByKey(page, "r", dialog);
  await expect(dialog.getByRole("textbox", { name: /Reason/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTestId("selection-bar")).toContainText("2 selected");

  await test.step("a menu that is open has the keys", async () => {
    const more = rowOf(page, ids[1] ?? "").getByRole("button", { name: /^Copy/ });
    await more.press("Enter");
    await expect(page.getByRole("menuitem").first()).toBeFocused();
    await page.keyboard.press("d");
    await expect(page.getByRole("dialog", { name: /^Dead-letter/ })).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
    await expect(page.getByTestId("message-panel"), "Escape closes one thing at a time").toHaveCount(1);
  });

  await askByKey(page, "r", dialog);
  await expect(dialog.getByRole("textbox", { name: /Reason/ })).toBeFocused();
  await expect(dialog.getByText("Ctrl Enter confirms.")).toBeVisible();
  await page.keyboard.type("jxr? is typed, not obeyed");
  await page.keyboard.press("Control+Enter");
  await expect(dialog.getByRole("status")).toHaveText("2 queued for another try.");
  await expect(dialog.getByRole("button", { name: "Close" }).last()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTestId("selection-bar")).toHaveCount(0);
  await page.keyboard.press("x");
  await expect(page.getByTestId("selection-bar")).toContainText("1 selected");
  for (const _ of ["the panel", "the selection"]) await page.keyboard.press("Escape");
  await expect(page.getByTestId("message-panel")).toHaveCount(0);
  await expect(page.getByTestId("selection-bar")).toHaveCount(0);

  const { rows } = await pool.query("SELECT message_id, reason FROM outbox_console.audit ORDER BY message_id");
  expect(rows.map((row) => row.message_id)).toEqual(ids.slice(0, 2).sort());
  expect(rows[0].reason).toBe("jxr? is typed, not obeyed");
  await expect(rowOf(page, ids[0] ?? "")).toHaveAttribute("data-state", "pending");
});

test("the focus comes back to what was switched off meanwhile, and stays on the page when what had it leaves", async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/ERR_INTERNET_DISCONNECTED .*\/operations\)/);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  const dialog = page.getByRole("dialog", { name: "Retry 1 message" });
  await askByKey(page, "r", dialog);
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("INC-42");
  const answer = Promise.withResolvers<void>();
  await page.route("**/operations", async (route) => {
    await answer.promise;
    await route.abort("internetdisconnected");
  });
  const send = dialog.getByRole("button", { name: "Retry", exact: true });
  await send.press("Enter");
  await expect(dialog.getByRole("button", { name: "Cancel" }), "it cancels nothing that is sent").toBeDisabled();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  answer.resolve();
  await expect(dialog.getByText("The change is not confirmed.")).toBeVisible();
  await expect(send).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await rowOf(page, ids[0] ?? "")
    .locator("[data-row-link]")
    .press("Enter");
  await expect(page).toHaveURL(new RegExp(`/messages/${ids[0]}`));
  await expect(page.locator("main")).toBeFocused();
});

test("a key that can do nothing says why, and moves nothing", async ({ page }) => {
  const toasts = page.getByTestId("toasts");
  await expect(toasts).toHaveAttribute("aria-live", "polite");
  const before = await rowOf(page, ids[0] ?? "").boundingBox();
  await page.keyboard.press("r");
  await expect(toasts).toHaveText("Select or open a message first.");
  await page.keyboard.press("x");
  await expect(toasts).toHaveText("Open a message first: j opens the next one.");
  expect(await rowOf(page, ids[0] ?? "").boundingBox()).toEqual(before);

  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await expect(toasts).toContainText(STILL_TO_BE_SENT);
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.evaluate(() => {
    for (const key of ["]", "]"]) document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
  await expect(page, "two keys between two renders are two steps").toHaveURL(/state=in_flight/);
});

test("a blocked button says why when it is pressed, in one place at a time", { tag: IN_DEPTH }, async ({ page }) => {
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  const archive = page.getByTestId("selection-bar").getByRole("button", { name: /^Archive/ });
  await archive.hover();
  await expect(page.getByRole("tooltip")).toContainText(STILL_TO_BE_SENT);
  await archive.click({ force: true });
  await expect(page.getByTestId("toasts")).toContainText(STILL_TO_BE_SENT);
  await expect(page.getByRole("tooltip")).toHaveCount(0);
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a dialog whose script comes late opens with what was typed meanwhile, which does not act on the list", async ({
  page,
}) => {
  const { release, asked } = await holdScripts(page);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await askByKey(page, "r", page.getByRole("dialog", { name: "Opening" }));
  await asked;
  await page.keyboard.type("xed");
  await page.keyboard.press("Enter");
  release();
  const dialog = page.getByRole("dialog", { name: "Retry 1 message" });
  const reason = dialog.getByRole("textbox", { name: /Reason/ });
  await expect(reason).toBeFocused();
  await expect(reason).toHaveValue("xed");
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTestId("selection-bar")).toContainText("1 selected");
  await expect(page.getByTestId("message-panel"), "Escape closes one thing at a time").toHaveCount(1);
  await expect.poll(() => focusedRow(page)).toBe(ids[0] ?? "");
});

test("the palette has what was typed before its script came", { tag: IN_DEPTH }, async ({ page }) => {
  const { release, asked } = await holdScripts(page);
  await page.keyboard.press("Control+k");
  await asked;
  await page.keyboard.type("ordex");
  await page.keyboard.press("Backspace");
  release();
  await expect(page.getByRole("dialog", { name: "Go to" })).toBeVisible();
  await expect(page.getByRole("combobox")).toHaveValue("orde");
  await expect(page.getByRole("combobox")).toBeFocused();
});

test("a dialog whose script does not come says so, the page stays, and the key works once it can", {
  tag: IN_DEPTH,
}, async ({ page, expectedNoise }) => {
  expectedNoise.push(/_next\/static/);
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.route(SCRIPTS, (route) => route.abort("internetdisconnected"));
  await page.keyboard.press("r");
  await expect(page.getByTestId("toasts")).toContainText("could not be loaded");
  await expect(page.getByTestId("selection-bar")).toContainText("1 selected");
  await page.unroute(SCRIPTS);
  await askByKey(page, "r", page.getByRole("dialog", { name: "Retry 1 message" }));
});

test("/ focuses the filter, where keys type letters; ? shows the keys; the palette opens any page", {
  tag: IN_DEPTH,
}, async ({ page }) => {
  await page.keyboard.press("/");
  const filter = page.getByRole("textbox", { name: /^Filter by an exact id/ });
  await expect(filter).toBeFocused();
  await page.keyboard.type("order-3");
  await expect(filter).toHaveValue("order-3");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("message-row")).toHaveCount(1);
  await filter.press("Escape");

  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys).toContainText("Next message");
  await page.keyboard.press("j");
  await expect(page.getByTestId("message-panel")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await expect(keys).toHaveCount(0);

  await page.keyboard.press("Control+k");
  const palette = page.getByRole("combobox");
  await expect(palette).toBeFocused();
  await page.keyboard.press("ArrowUp");
  await expect(page.getByRole("option", { selected: true })).toBeInViewport({ ratio: 1 });
  await page.keyboard.type("?");
  await expect(page.getByText("No page or outbox has this name.")).toBeVisible();
  for (const key of ["ArrowDown", "Backspace"]) await page.keyboard.press(key);
  await expect(palette).toHaveAttribute("aria-activedescendant", "palette-0");
  await page.keyboard.type("settings");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/settings/);
});

test.describe("with an id that no message has", () => {
  test.use({ expectedNoise: [/404 \(Not Found\).*\/messages\/order-3/] });
  test("an aggregate that the palette takes for a message leads on to its messages", { tag: IN_DEPTH }, async ({
    page,
  }) => {
    await page.keyboard.press("Control+k");
    await expect(page.getByRole("combobox")).toBeFocused();
    await page.keyboard.type("order-3");
    await page.keyboard.press("Enter");
    await expect(page.getByText("There is no message order-3")).toBeVisible();
    await page.getByRole("link", { name: "Look for messages with order-3 as their aggregate or type" }).click();
    await expect(page.getByTestId("message-row")).toHaveCount(1);
  });
});

test("Tab reaches the page past the menu, and the focus is visible", async ({ page }) => {
  await page.goto(`/?outbox=${OUTBOX}`);
  await expect(page.getByRole("region", { name: "Figures" })).toBeVisible();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to the page" });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const inMain = await page.evaluate(() => document.activeElement?.closest("main") !== null);
  expect(inMain).toBe(true);
  const outline = await page.evaluate(() => {
    const style = getComputedStyle(document.activeElement ?? document.body);
    return style.outlineStyle !== "none" || style.boxShadow !== "none";
  });
  expect(outline).toBe(true);
});
