import { findFreePort } from "#tests/free-port.ts";
import { CLIENT, startProvider, type TestProvider } from "#tests/openid-provider.ts";
import { Product } from "./fixtures/product.ts";
import { createOutbox, OUTBOX, operateConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

let product: Product;
let provider: TestProvider;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await createOutbox(database.pool);
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  provider = await startProvider(`${url}/api/v1/session/oidc/callback`);
  product = await Product.start({
    database,
    port,
    config: (store) => ({
      ...operateConfig(store),
      auth: {
        ...{ mode: "oidc", issuer: provider.issuer, clientId: CLIENT.id, clientSecret: CLIENT.secret, url },
        roles: [
          { value: "ops-admin", role: "admin" },
          { value: "team-orders", role: "operator", outboxes: [OUTBOX] },
        ],
        default: "none",
      },
    }),
  });
});

test.afterAll(async () => {
  await product.close();
  await provider.close();
});

test("somebody without a role is told why, gets one, makes a token and signs out for good", async ({
  page,
  expectedNoise,
}) => {
  expectedNoise.push(/status of 401/, /ERR_INTERNET_DISCONNECTED .*\/tokens\)/);
  provider.groups = ["sales"];
  await page.goto(`${product.url}/settings`);
  await page.getByRole("link", { name: /^Sign in with 127\.0\.0\.1/ }).click();
  await expect(page.getByText("vera@example.org has no role in this console.")).toBeVisible();
  await expect(page.getByText("ops-admin → admin: does not match")).toBeVisible();

  provider.groups = ["ops-admin"];
  await page.getByRole("link", { name: /^Sign in with/ }).click();
  await expect(page.getByRole("heading", { name: /^Settings/ })).toBeVisible();
  await page.getByRole("button", { name: "New token…" }).click();
  await page.getByLabel("Name").fill("prometheus");
  await page.getByLabel("Scope").selectOption("metrics");
  await page.getByRole("button", { name: "Create the token" }).click();
  const secret = await page.getByText(/^oct_/).innerText();
  await page.keyboard.press("Escape");
  await expect(page.getByText(secret), "it is shown only once").toBeVisible();
  await page.getByRole("button", { name: "I have copied it" }).click();
  const metrics = await page.request.get(`${product.url}/metrics`, { headers: { authorization: `Bearer ${secret}` } });
  expect(metrics.status()).toBe(200);
  await page.getByRole("button", { name: "Revoke the token prometheus" }).click();
  await page.getByRole("button", { name: "Revoke now" }).click();
  await expect(page.getByText("revoked by vera@example.org")).toBeVisible();

  await page.route("**/api/v1/tokens", async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    await route.fetch();
    await route.abort("internetdisconnected");
  });
  await page.getByRole("button", { name: "New token…" }).click();
  await page.getByLabel("Name").fill("grafana");
  await page.getByRole("button", { name: "Create the token" }).click();
  await expect(page.getByText(/It may have been created: look in the list/)).toBeVisible();
  await expect(page.getByText("grafana", { exact: true }), "the list is read again").toBeVisible();
  await page.getByRole("button", { name: "Cancel" }).click();

  // Live readings are refused before the page knows where to continue.
  await page.route("**/session/sign-out", async (route) => {
    const response = await route.fetch();
    for (const _ of [1, 2]) await page.waitForResponse((other) => other.status() === 401);
    await route.fulfill({ response });
  });
  await page.getByRole("button", { name: "Account and appearance" }).click();
  await page.getByRole("menuitem", { name: /Sign out/ }).click();
  await expect(page).toHaveURL(new RegExp(`${provider.issuer}/session/end`));
  await page.goto(product.url);
  await expect(page.getByRole("link", { name: /^Sign in with/ })).toBeVisible();
});
