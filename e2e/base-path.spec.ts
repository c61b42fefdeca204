import { createServer, type Server, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { hashPassword } from "#services/auth/password.ts";
import { Product } from "./fixtures/product.ts";
import { addEvents, createOutbox, operateConfig } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const BASE = "/a/b";
const PASSWORD = "ruling it all now";

let product: Product;
let proxy: Server;
let origin: string;

/** Serves the console under the base path alone, and adds a slash behind it, as nginx does. */
function startProxy(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    const bare = /^\/a\/b(\?.*)?$/.exec(path);
    if (bare) return void response.writeHead(301, { location: `${BASE}/${bare[1] ?? ""}` }).end();
    if (!path.startsWith(`${BASE}/`)) return void response.writeHead(404).end(`not the console: ${path}`);
    const { method, headers } = request;
    const onward = send(`${product.url}${path}`, { method, headers: { ...headers, "x-forwarded-proto": "http" } });
    onward.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await createOutbox(database.pool);
  const passwords = { admin: await hashPassword(PASSWORD) };
  const config = (url: string) => ({ ...operateConfig(url), auth: { mode: "password", passwords } });
  product = await Product.start({ database, basePath: BASE, config });
  proxy = await startProxy();
  origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});

test.afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await product.close();
});

test("behind a proxy that serves it under a path, everything stays under that path", async ({ page }) => {
  const [id = ""] = await addEvents(product.database.pool, [{ aggregateId: "order-1", eventType: "order.placed" }]);
  const astray: string[] = [];
  page.on("request", (request) => {
    const { pathname, protocol } = new URL(request.url());
    if (protocol === "http:" && pathname !== BASE && !pathname.startsWith(`${BASE}/`)) astray.push(pathname);
  });

  await page.goto(`${origin}${BASE}`);
  await expect(page).toHaveURL(`${origin}${BASE}/sign-in?next=%2F`);
  await page.getByRole("textbox", { name: "Name" }).fill("ada");
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(`${origin}${BASE}/`);
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: "outbox-console", path: BASE });

  await page.getByRole("link", { name: "Messages", exact: true }).first().click();
  await expect(page).toHaveURL(new RegExp(`^${origin}${BASE}/messages`));
  await page.goto(`${origin}${BASE}/messages/${id}?outbox=orders`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("order.placed");
  await page.goto(`${origin}${BASE}/settings`);
  await expect(page.getByText(`${origin}${BASE}/api/health`).first()).toBeVisible();

  const openApi = await page.request.get(`${origin}${BASE}/api/openapi.json`);
  expect((await openApi.json()).servers).toEqual([{ url: BASE }]);
  const cutOff = await page.request.get(`${product.url}/api/health/live`);
  expect(cutOff.status()).toBe(200);
  expect(astray).toEqual([]);
});
