import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { BYTES, createPayloadTables, payloadsConfig, TEXTS, UNKNOWN } from "./fixtures/payload-rows.ts";
import { Product } from "./fixtures/product.ts";
import { expect, test } from "./fixtures/test.ts";

let product: Product;

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(180_000);
  const database = await makeDatabase("migrated");
  await createPayloadTables(database.pool);
  product = await Product.start({ database, config: payloadsConfig });
});

test.afterAll(async () => {
  await product.close();
});

const payloadOf = (page: Page) => page.getByRole("region", { name: "Payload" });

async function open(page: Page, outbox: string, id: number) {
  await page.goto(`${product.url}/messages/${id}?outbox=${outbox}`);
  const payload = payloadOf(page);
  await expect(payload.getByTestId("payload-chain")).toBeVisible();
  return payload;
}

async function showAs(page: Page, view: string) {
  await payloadOf(page).getByRole("radiogroup", { name: "Show payload as" }).getByText(view, { exact: true }).click();
}

test("a gzipped CloudEvent in bytes is unfolded to its data, and downloads byte for byte", async ({ page }) => {
  const payload = await open(page, "bytes", 1);
  await expect(payload.getByTestId("payload-chain")).toHaveText(/^bytea · gzip · CloudEvents 1\.0 · JSON, \d+ B$/);
  const tree = payload.getByTestId("payload-tree");
  await expect(tree).toContainText("9007199254740993");
  await expect(tree).toContainText("12.10");
  await expect(tree).not.toContainText("specversion");
  await expect(payload.getByText("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")).toBeVisible();

  await showAs(page, "hex");
  await expect(payload.getByTestId("payload-hex")).toContainText("1f 8b 08");
  const downloading = page.waitForEvent("download");
  await payload.getByRole("link", { name: /^Download payload as stored/ }).click();
  const stored = readFileSync(await (await downloading).path());
  const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  expect(hash(stored)).toBe(hash(BYTES[0]?.[2] ?? Buffer.alloc(0)));
});

test("a MassTransit envelope shows its facts, its message and the reference in it", async ({ page }) => {
  const payload = await open(page, "texts", 1);
  await expect(payload.getByTestId("payload-chain")).toHaveText(/^text · MassTransit · JSON/);
  await expect(payload.getByText("Acme.Orders:OrderPlaced", { exact: true })).toBeVisible();
  await expect(payload.getByTestId("payload-tree")).toContainText("12.10");
  await expect(payload.getByTestId("payload-tree")).not.toContainText("messageType");
  await expect(payload.getByTestId("payload-reference")).toContainText("urn:file:2026:11:23:invoice-48213");
  await showAs(page, "raw");
  await expect(payload.getByTestId("payload-raw")).toHaveText(TEXTS[0]?.[2] ?? "", { useInnerText: false });
});

test("a body that Symfony serialized shows the message's properties, and its text as stored", async ({ page }) => {
  const payload = await open(page, "texts", 2);
  await expect(payload.getByTestId("payload-chain")).toContainText("PHP serialize, with slashes · Symfony Messenger");
  const tree = payload.getByTestId("payload-tree");
  await expect(tree).toContainText("App\\Message\\OrderPlaced {");
  await expect(tree).toContainText('"customer": "Zoë"');
  await expect(payload.getByText("messenger.bus.default")).toBeVisible();
  await showAs(page, "raw");
  await expect(payload.getByTestId("payload-raw")).toHaveText(TEXTS[1]?.[2] ?? "");
});

test("bytes of no known format are shown as hex with their size, and nothing is claimed", async ({ page }) => {
  const payload = await open(page, "bytes", 2);
  await expect(payload.getByTestId("payload-chain")).toHaveText("bytea, 16 B, format not recognised");
  await expect(payload.getByTestId("payload-hex")).toContainText("8f 00 ff 13 c2 b7 44 10 a9 dd 01 e6 7b 55 00 fe");
  await showAs(page, "base64");
  await expect(payload.getByTestId("payload-raw")).toHaveText(UNKNOWN.toString("base64"));
});

test("a zip bomb stops at 5 MB and says so", async ({ page }) => {
  const payload = await open(page, "bytes", 4);
  await expect(payload).toContainText("Decompression stopped at 5 MB; the content is longer.");
  await expect(payload.getByTestId("payload-chain")).toContainText("bytea · gzip");
});

test("a claim check is shown as a reference, and nothing is fetched", async ({ page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const payload = await open(page, "texts", 3);
  await expect(payload.getByTestId("payload-reference")).toContainText(
    "s3://acme-invoices/2026/11/23/invoice-48213.pdf",
  );
  expect(requests.filter((url) => !url.startsWith(product.url))).toEqual([]);
});

test("every layer that was removed is named, and what is cut is said", async ({ page }) => {
  const expected = [
    ["bytes", 3, "bytea · protobuf, no schema, 29 B"],
    ["bytes", 5, "bytea · zstd · JSON, 94 B"],
    ["bytes", 6, "bytea · brotli · JSON, 94 B"],
    ["texts", 4, "text · base64 · gzip · JSON, 94 B"],
  ] as const;
  for (const [outbox, id, chain] of expected) {
    const payload = await open(page, outbox, id);
    await expect(payload.getByTestId("payload-chain")).toHaveText(chain);
  }
  const cut = await open(page, "bytes", 7);
  await expect(cut).toContainText("The gzip stream ends early");
  await expect(cut.getByTestId("payload-text")).toContainText("line 100");
});

test("a long type name is short in the list, whole in its title, and still what is filtered by", async ({ page }) => {
  const whole = TEXTS[0]?.[1] ?? "";
  await page.goto(
    `${product.url}/messages?${new URLSearchParams({ outbox: "texts", state: "all", eventType: whole })}`,
  );
  const row = page.getByTestId("message-row");
  await expect(row).toHaveCount(1);
  await expect(row.getByRole("link")).toHaveText("OrderPlaced v2.1.0.0");
  await expect(row.getByTitle(whole).first()).toBeVisible();
});
