import type { Page } from "@playwright/test";
import { hashPassword } from "#services/auth/password.ts";
import { type Nginx, NO_NGINX, startNginx } from "#tests/nginx.ts";
import { EVERYTHING } from "#tests/test-depth.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import { Product } from "./fixtures/product.ts";
import { addEvents, createOutbox, operateConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

type Base = "" | "/outbox" | "/a/b";
// All other specs are at "/"; a longer path differs in nothing but its length.
const BASES: readonly Base[] = EVERYTHING ? ["", "/outbox", "/a/b"] : ["", "/outbox"];

test.skip(NO_NGINX !== null, NO_NGINX ?? "");

let nginx: Nginx;
const products = new Map<Base, Product>();

const passwordOf = (base: Base) => `ruling ${base || "/"} all now`;
const productAt = (base: Base) => products.get(base) as Product;

/** One is given the path as it is, one is told of it, and from one it is cut off. */
function locations(): string {
  const to = (base: Base) => productAt(base).url;
  const headers =
    "proxy_http_version 1.1; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for; proxy_set_header X-Forwarded-Proto $scheme;";
  return `${headers}
    location / { proxy_pass ${to("")}; }
    location /outbox/ { ${headers} proxy_set_header X-Forwarded-Prefix /outbox; proxy_pass ${to("/outbox")}; }
    ${products.has("/a/b") ? `location /a/b/ { proxy_pass ${to("/a/b")}/; }` : ""}
    location /wrong/ { ${headers} proxy_set_header X-Forwarded-Prefix /wrong; proxy_pass ${to("")}/; }`;
}

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  for (const base of BASES) {
    const database = await makeDatabase("migrated");
    await createOutbox(database.pool);
    const auth = { mode: "password", passwords: { admin: await hashPassword(passwordOf(base)) } };
    const config = (url: string) => ({ ...operateConfig(url), auth });
    products.set(base, await Product.start({ database, basePath: base, config }));
  }
  nginx = await startNginx(locations());
});

test.afterAll(async () => {
  await nginx?.stop();
  for (const product of products.values()) await product.close();
});

/** Paths of this page's requests that are not under the base path. */
function watchAstray(page: Page, base: Base): string[] {
  const astray: string[] = [];
  page.on("request", (request) => {
    const { pathname, protocol } = new URL(request.url());
    if (protocol === "http:" && pathname !== base && !pathname.startsWith(`${base}/`)) astray.push(pathname);
  });
  return astray;
}

async function signIn(page: Page, base: Base): Promise<void> {
  await page.goto(`${nginx.origin}${base}`);
  await expect(page).toHaveURL(`${nginx.origin}${base}/sign-in?next=%2F`);
  await page.getByRole("textbox", { name: "Name" }).fill("ada");
  await page.getByLabel("Password", { exact: true }).fill(passwordOf(base));
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${nginx.origin}${base}/`);
}

for (const base of BASES) {
  const tag = base === "/outbox" ? [] : [IN_DEPTH];
  test(`behind nginx everything of the console at ${base || "/"} stays there`, { tag }, async ({ page }) => {
    const { origin } = nginx;
    const { pool } = productAt(base).database;
    const [id = ""] = await addEvents(pool, [{ aggregateId: "order-1", eventType: "order.placed" }]);
    const astray = watchAstray(page, base);
    await signIn(page, base);
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ name: `outbox-console${base.replaceAll("/", ".")}`, path: base || "/" });

    await page.getByRole("link", { name: "Messages", exact: true }).first().click();
    await expect(page).toHaveURL(new RegExp(`^${origin}${base}/messages`));
    await page.goto(`${origin}${base}/messages/${id}?outbox=orders`);
    await expect(page.getByRole("heading", { level: 1 })).toContainText("order.placed");
    await page.getByRole("button", { name: "Dead-letter" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: /Reason/ }).fill("not wanted any more");
    await dialog.getByRole("button", { name: "Dead-letter", exact: true }).click();
    await expect(dialog.getByRole("status")).toContainText("1 ");
    await page.goto(`${origin}${base}/settings`);
    await expect(page.getByText(`${origin}${base}/api/health`).first()).toBeVisible();
    await page.getByRole("radio", { name: "Prometheus" }).check({ force: true });
    await expect(page.getByText(`metrics_path: ${base}/metrics`)).toBeVisible();

    const openApi = await page.request.get(`${origin}${base}/api/openapi.json`);
    const { servers, components } = await openApi.json();
    expect(servers).toEqual([{ url: base || "/" }]);
    expect(components.securitySchemes.session.name).toBe(cookie?.name);
    expect(astray).toEqual([]);
  });
}

test("consoles under several paths of one host have sessions of their own in one browser", {
  tag: IN_DEPTH,
}, async ({ page }) => {
  for (const base of BASES) await signIn(page, base);
  for (const base of BASES) {
    await page.goto(`${nginx.origin}${base}/messages`);
    await expect(page.getByRole("heading", { level: 1, name: "Messages" })).toBeVisible();
    expect((await page.request.get(`${nginx.origin}${base}/api/v1/outboxes`)).status()).toBe(200);
  }
});

test("a proxy that names another path than BASE_PATH is refused with the setting to use, instead of wrong links", {
  tag: IN_DEPTH,
}, async ({ request }) => {
  for (const path of ["", "sign-in", "api/v1/outboxes"]) {
    const refused = await request.get(`${nginx.origin}/wrong/${path}`);
    expect(refused.status(), path).toBe(400);
    expect((await refused.json()).error).toMatchObject({ message: expect.stringContaining("BASE_PATH=/wrong") });
  }
  // Whether the process lives does not depend on links.
  expect((await request.get(`${nginx.origin}/wrong/api/health/live`)).status()).toBe(200);
});
