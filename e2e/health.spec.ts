import type { APIRequestContext } from "@playwright/test";
import type { Health } from "#contracts/watch/health.ts";
import { type HttpReceiver, startHttpReceiver } from "#tests/http-receiver.ts";
import { IN_DEPTH } from "./fixtures/in-depth.ts";
import type { Product } from "./fixtures/product.ts";
import { startRelayedShop } from "./fixtures/relayed-shop.ts";
import { addEvents, countUnpublished, OUTBOX } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

/** Browser console errors caused by a request that an outage fails. */
const FAILED_REQUEST = /^Failed to load resource/;

/** About the time for which an alerting system waits for an answer, ms. */
const ANSWERS_WITHIN_MS = 10_000;

let product: Product;
let receiver: HttpReceiver;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  ({ product, receiver } = await startRelayedShop(await makeDatabase("migrated")));
});

test.beforeEach(() => test.setTimeout(180_000));

test.afterAll(async () => {
  await product.close();
  await receiver.close();
});

/** What alerting reads: the status code and the reason. */
async function readHealth(request: APIRequestContext): Promise<{ code: number; health: Health }> {
  const response = await request.get(`${product.url}/api/health`);
  expect(response.headers()["cache-control"]).toBe("no-store");
  // A proxy that keeps its connections for 60 s must not find them closed.
  expect(response.headers()["keep-alive"]).toBe("timeout=75");
  expect(response.headers()["content-type"]).toContain("application/health+json");
  const health: Health = await response.json();
  expect(response.status()).toBe(health.status === "fail" ? 503 : 200);
  return { code: response.status(), health };
}

const untilHealth = (request: APIRequestContext, status: Health["status"]) =>
  expect.poll(async () => (await readHealth(request)).health.status, { timeout: 60_000 }).toBe(status);

const checkOf = (health: Health, name: string) => health.checks?.[`${OUTBOX}:${name}`]?.[0];

test("fails while the receiver is down, with the reason, and passes when it is back", { tag: IN_DEPTH }, async ({
  request,
}) => {
  await untilHealth(request, "pass");
  const { port } = receiver;
  await receiver.close();
  await addEvents(product.database.pool, [
    { aggregateId: "order-1", eventType: "order.placed" },
    { aggregateId: "order-2", eventType: "order.placed" },
  ]);
  await untilHealth(request, "fail");
  const { health } = await readHealth(request);
  expect(checkOf(health, "progress")).toMatchObject({
    status: "fail",
    output: expect.stringContaining("ECONNREFUSED"),
  });
  expect(health.output).toContain("ECONNREFUSED");
  expect(await countUnpublished(product.database.pool)).toBe(2);

  receiver = await startHttpReceiver({ port });
  await untilHealth(request, "pass");
  await expect.poll(() => countUnpublished(product.database.pool)).toBe(0);
  expect(receiver.requests).toHaveLength(2);
});

test("fails when the worker is killed, says so on the page, and passes when another takes over", {
  tag: IN_DEPTH,
}, async ({ page, request }) => {
  await untilHealth(request, "pass");
  await product.killWorker();
  await untilHealth(request, "fail");
  const { health } = await readHealth(request);
  expect(checkOf(health, "relay")).toMatchObject({ status: "fail", observedValue: 0 });
  expect(checkOf(health, "relay")?.output).toMatch(/no relay is alive/i);

  await page.goto(product.url);
  const sentence = page.getByRole("region", { name: "Verdict" }).getByRole("heading", { level: 1 });
  await expect(sentence).toHaveText(/^Not delivering: .*no relay is alive/);
  await product.startWorker({ owns: OUTBOX });
  await untilHealth(request, "pass");
  await expect(sentence).toHaveText(/^Delivering/);
});

test("fails when the database does not answer; the page keeps its last figures, greyed, and recovers", async ({
  page,
  request,
  expectedNoise,
}) => {
  expectedNoise.push(FAILED_REQUEST);
  await untilHealth(request, "pass");
  const [id] = await addEvents(product.database.pool, [{ aggregateId: "order-3", eventType: "order.placed" }]);
  await expect.poll(() => countUnpublished(product.database.pool)).toBe(0);
  await page.goto(product.url);
  const verdict = page.getByRole("region", { name: "Verdict" });
  await expect(verdict).toContainText("Delivering");
  const figures = page.getByRole("region", { name: "Figures" });
  await expect(figures.getByRole("link", { name: /^Published/ })).toContainText("in the table");

  await product.line.refuse();
  await expect(page.getByRole("button", { name: /^Disconnected/ })).toBeVisible();
  const silence = page.getByRole("main").getByRole("alert").first();
  await expect(silence).toContainText("The figures below are from");
  await expect(figures.getByRole("link", { name: /^Published/ })).toContainText("in the table");
  const filterOf = () => figures.evaluate((node) => getComputedStyle(node.parentElement ?? node).filter);
  await expect.poll(filterOf).toBe("grayscale(1)");

  await untilHealth(request, "fail");
  const { health } = await readHealth(request);
  expect(health.output).not.toContain(product.database.url);
  expect(checkOf(health, "database")?.output ?? health.output).toMatch(/database/i);
  expect((await request.get(`${product.url}/api/health/live`)).status()).toBe(200);
  expect((await request.get(`${product.url}/api/health/ready`)).status()).toBe(503);
  expect((await request.get(`${product.url}/api/v1/outboxes/${OUTBOX}/messages/${id}`)).status()).toBe(503);

  await product.line.resume();
  await untilHealth(request, "pass");
  await expect(page.getByRole("button", { name: /^Live/ })).toBeVisible();
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
});

test("fails in bounded time when the network drops all packets", { tag: IN_DEPTH }, async ({ request }) => {
  await untilHealth(request, "pass");
  product.line.pause();
  await expect
    .poll(async () => (await request.get(`${product.url}/api/health`, { timeout: ANSWERS_WITHIN_MS })).status())
    .toBe(503);
  await product.line.resume();
  await untilHealth(request, "pass");
});
