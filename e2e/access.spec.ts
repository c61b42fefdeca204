import { request as httpRequest } from "node:http";
import type { Page } from "@playwright/test";
import { hashPassword } from "#services/auth/password.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { Product } from "./fixtures/product.ts";
import { addEvents, createOutbox, emptyOutbox, OUTBOX, operateConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const PASSWORDS = { viewer: "only looking here", operator: "allowed to act now", admin: "ruling it all now" };

let product: Product;
let id: string;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await createOutbox(database.pool);
  const passwords = {
    viewer: await hashPassword(PASSWORDS.viewer),
    operator: await hashPassword(PASSWORDS.operator),
    admin: await hashPassword(PASSWORDS.admin),
  };
  product = await Product.start({
    database,
    config: (url) => ({ ...operateConfig(url), auth: { mode: "password", passwords } }),
  });
});

test.beforeEach(async () => {
  await emptyOutbox(product.database.pool);
  [id = ""] = await addEvents(product.database.pool, [{ aggregateId: "order-1", eventType: "order.placed" }]);
});

test.afterAll(() => product.close());

async function signIn(page: Page, name: string, password: string): Promise<void> {
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

async function openAsOperator(page: Page, path: string): Promise<void> {
  await page.goto(`${product.url}/sign-in?next=${encodeURIComponent(path)}`);
  await signIn(page, "olga", PASSWORDS.operator);
}

const operation = () => ({
  data: { action: "dead-letter", targets: [{ id, version: "1" }], reason: "trying it" },
  headers: { "Idempotency-Key": crypto.randomUUID() },
});
const operations = () => `${product.url}/api/v1/outboxes/${OUTBOX}/operations`;

const countAudit = async () => {
  const { rows } = await product.database.pool.query(
    "SELECT count(*)::int AS count FROM outbox_console.audit WHERE outcome = 'done'",
  );
  return rows[0].count;
};

test("a link of another site leads whoever is signed in to its page", async ({ page, context }) => {
  await page.goto(`${product.url}/sign-in`);
  await signIn(page, "vera", PASSWORDS.viewer);
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
  const link = `${product.url}/messages?state=pending`;
  await context.route("http://alerts.test/", (route) =>
    route.fulfill({ contentType: "text/html", body: `<a href="${link}">orders is not delivering</a>` }),
  );
  await page.goto("http://alerts.test/");
  await page.getByRole("link").click();
  await expect(page).toHaveURL(link);
  await expect(page.getByRole("checkbox", { name: new RegExp(id) })).toBeVisible();
});

test("a viewer signs in with the right password only, returns to the requested page, and cannot act", async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/status of 401/);
  expectedNoise.push(/status of 403/);
  await page.goto(`${product.url}/messages?state=pending`);
  await expect(page).toHaveURL(/\/sign-in\?next=/);
  expect((await page.request.get(`${product.url}/api/v1/outboxes`)).status()).toBe(401);

  await signIn(page, "vera", "not the password");
  await expect(page.getByRole("alert").filter({ hasText: "password" })).toBeVisible();
  await signIn(page, "vera", PASSWORDS.viewer);
  await expect(page).toHaveURL(/\/messages\?state=pending/);

  await page.getByRole("checkbox", { name: new RegExp(id) }).click();
  const bar = page.getByRole("toolbar", { name: "Selected messages" });
  const deadLetter = bar.getByRole("button", { name: /^Dead-letter/ });
  await expect(deadLetter).toHaveAttribute("aria-disabled", "true");
  await expect(deadLetter).toHaveAccessibleDescription(/Your role is viewer; this needs operator/);
  const refused = await page.request.post(operations(), operation());
  expect(refused.status()).toBe(403);
  expect((await refused.json()).error.code).toBe("forbidden");
  expect(await countAudit()).toBe(0);

  const cookie = (await page.context().cookies()).find(({ name }) => name === "outbox-console");
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  expect(cookie?.value).not.toContain("vera");
});

test("a session that ends in the middle of an action says what was not done, and keeps the reason", async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/status of 401/);
  await openAsOperator(page, `/messages/${id}`);
  const ask = page.getByRole("button", { name: "Dead-letter", exact: true });
  await ask.click();
  const dialog = page.getByRole("dialog");
  const reason = dialog.getByRole("textbox", { name: /Reason/ });
  await reason.fill("the address is wrong");
  await page.context().clearCookies();
  const confirm = dialog.getByRole("button", { name: "Dead-letter", exact: true });
  await confirm.click();
  const refused = dialog.getByRole("alert");
  await expect(refused).toContainText("so this was not done");
  expect(await countAudit()).toBe(0);

  const opened = page.waitForEvent("popup");
  await refused.getByRole("link", { name: "Sign in in another tab" }).click();
  const tab = await opened;
  await signIn(tab, "olga", PASSWORDS.operator);
  await expect(tab.getByRole("navigation", { name: "Pages" })).toBeVisible();
  await expect(reason).toHaveValue("the address is wrong");
  await confirm.click();
  await expect(dialog.getByRole("status")).toHaveText("1 dead-lettered.");
  expect(await countAudit()).toBe(1);
});

test("a session that ends before anything is typed leads to the sign-in page and back", async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/status of 401/);
  await openAsOperator(page, `/messages/${id}`);
  await expect(page.getByRole("button", { name: "Dead-letter", exact: true })).toBeVisible();
  await page.context().clearCookies();
  await expect(page).toHaveURL(/\/sign-in\?ended=/);
  await expect(page.getByText(/^Your session has ended\./)).toBeVisible();
  await signIn(page, "olga", PASSWORDS.operator);
  await expect(page).toHaveURL(new RegExp(`/messages/${id}`));
});

test("an operator acts under their own name until signing out", { tag: IN_DEPTH }, async ({ page, expectedNoise }) => {
  expectedNoise.push(/status of 401/);
  await openAsOperator(page, "/messages?state=pending");
  await page.getByRole("checkbox", { name: new RegExp(id) }).click();
  await page
    .getByRole("toolbar")
    .getByRole("button", { name: /^Dead-letter/ })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: /Reason/ }).fill("a test order");
  await dialog.getByRole("button", { name: "Dead-letter", exact: true }).click();
  await expect(dialog.getByRole("status")).toHaveText("1 dead-lettered.");
  await dialog.getByRole("button", { name: "Close" }).last().click();
  const { rows } = await product.database.pool.query("SELECT actor, role, outcome FROM outbox_console.audit");
  expect(rows).toEqual([{ actor: "olga", role: "operator", outcome: "done" }]);

  const copied = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const withCopy = () => page.request.get(`${product.url}/api/v1/outboxes`, { headers: { cookie: copied } });
  expect((await withCopy()).status()).toBe(200);
  await page.getByRole("button", { name: "Account and appearance" }).click();
  await page.getByRole("menuitem", { name: /Sign out/ }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  expect((await withCopy()).status()).toBe(401);
  expect((await page.request.get(`${product.url}/api/v1/outboxes`)).status()).toBe(401);
  await page.goto(`${product.url}/audit`);
  await expect(page).toHaveURL(/\/sign-in/);
});

for (const next of ["//evil.example/", "/..//evil.example/x", "/%2e%2e//evil.example/x", "/\\evil.example"]) {
  test(`signing in never leads to another site: ${next}`, { tag: IN_DEPTH }, async ({ page }) => {
    await page.goto(`${product.url}/sign-in?next=${encodeURIComponent(next)}`);
    await signIn(page, "vera", PASSWORDS.viewer);
    await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
    expect(new URL(page.url()).origin).toBe(product.url);
  });
}

test("an admin sees who is signed in, and ends a session", { tag: IN_DEPTH }, async ({ page, request }) => {
  const data = { name: "olga", password: PASSWORDS.operator };
  await request.post(`${product.url}/api/v1/session`, { data });
  const olga = () => request.get(`${product.url}/api/v1/outboxes`);
  expect((await olga()).status()).toBe(200);
  await page.goto(`${product.url}/sign-in?next=/settings`);
  await signIn(page, "ada", PASSWORDS.admin);
  const ends = page.getByRole("button", { name: "End the session of olga" });
  await expect(ends.first()).toBeVisible();
  while ((await ends.count()) > 0) {
    const left = (await ends.count()) - 1;
    await ends.first().click();
    await expect(ends, "the first press only asks").toHaveCount(left + 1);
    await page.getByRole("button", { name: "End it now" }).click();
    await expect(ends).toHaveCount(left);
  }
  expect((await olga()).status()).toBe(401);
  await expect(page.getByText("this one")).toBeVisible();
});

test("scripts run only with their page's nonce, and endpoint pages run none", async ({ page }) => {
  const [first, second] = [
    await page.request.get(`${product.url}/sign-in`),
    await page.request.get(`${product.url}/sign-in`),
  ];
  const scripts = (policy: string | undefined) => /script-src ([^;]*)/.exec(policy ?? "")?.[1];
  const policy = scripts(first.headers()["content-security-policy"]);
  expect(policy).toMatch(/^'self' 'nonce-[A-Za-z0-9+/=]{20,}'$/);
  expect(policy).not.toBe(scripts(second.headers()["content-security-policy"]));
  const tags = (await first.text()).match(/<script\b[^>]*>/g) ?? [];
  expect(tags.length).toBeGreaterThan(3);
  for (const tag of tags) expect(tag).toContain(' nonce="');
  const api = await page.request.get(`${product.url}/api/health/ready`);
  expect(api.headers()["content-security-policy"]).toContain("default-src 'none'");
});

test("another site's request and another host's name are refused", async ({ page }) => {
  await page.goto(`${product.url}/sign-in`);
  await signIn(page, "olga", PASSWORDS.operator);
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
  const foreign = await page.request.post(operations(), {
    ...operation(),
    headers: { ...operation().headers, origin: "https://evil.example" },
  });
  expect(foreign.status()).toBe(403);
  expect(await askAsHost("/", "evil.example")).toBe(403);
  expect(await askAsHost("/api/health", "evil.example")).toBe(403);
  expect(await askAsHost("/api/health/live", `127.0.0.1:${new URL(product.url).port}`)).toBe(200);
  expect(await countAudit()).toBe(0);
});

test("an unauthenticated request gets the health status in words only", { tag: IN_DEPTH }, async ({ request }) => {
  const response = await request.get(`${product.url}/api/health`);
  const health = await response.json();
  expect(health).toEqual({ status: expect.any(String), asOf: expect.any(String), checks: expect.any(Object) });
  expect(JSON.stringify(health)).not.toMatch(/output|observedValue/);
});

/** Status of a request with that Host header, as when a foreign name points at this address. */
function askAsHost(path: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(`${product.url}${path}`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on("error", reject).end();
  });
}
