import type { Page } from "@playwright/test";
import axe from "axe-core";
import type { AnswerRule, HttpReceiver } from "#tests/http-receiver.ts";
import { EVERYTHING } from "#tests/test-depth.ts";
import type { Product } from "./fixtures/product.ts";
import { readWeakText } from "./fixtures/read-contrast.ts";
import { startRelayedShop } from "./fixtures/relayed-shop.ts";
import { addEvents, OUTBOX } from "./fixtures/shop-outbox.ts";
import { expect, test } from "./fixtures/test.ts";

const SCHEMES = ["light", "dark"] as const;

let product: Product;
let receiver: HttpReceiver;
let paths: string[];

test.beforeAll(async ({ makeDatabase }) => {
  test.setTimeout(300_000);
  const database = await makeDatabase("migrated");
  const answer: AnswerRule = ({ body }) =>
    body.includes("unlucky") ? { status: 422, body: "unknown SKU" } : { status: 204 };
  ({ product, receiver } = await startRelayedShop(database, { answer, outbox: { corrections: true } }));
  const [dead] = await addEvents(database.pool, [
    { aggregateId: "order-1", eventType: "order.placed", payload: '{"sku": "unlucky", "list": [1, null, true]}' },
    { aggregateId: "order-2", eventType: "order.placed" },
  ]);
  await expect
    .poll(async () => (await database.pool.query("SELECT 1 FROM outbox_console.dead_letter")).rows.length)
    .toBe(1);
  const messages = [`/messages?state=dead&message=${dead}`, `/messages/${dead}`, `/messages/${dead}/edit`];
  paths = EVERYTHING
    ? [
        "/",
        "/messages",
        "/messages?state=all&q=order-1",
        "/messages?state=published",
        "/live",
        ...messages,
        "/failures",
        await groupPath(),
        "/stuck",
        "/blocked",
        "/inbox",
        "/relays",
        "/storage",
        "/operations",
        "/incidents",
        await incidentPath(),
        "/audit",
        "/settings",
        "/settings/mapping",
      ]
    : ["/", ...messages.slice(0, 1), "/failures", "/stuck"];
});

test.afterAll(async () => {
  await product.close();
  await receiver.close();
});

/** The page of the only failure group. */
async function groupPath(): Promise<string> {
  const { groups } = await (await fetch(`${product.url}/api/v1/outboxes/${OUTBOX}/failure-groups`)).json();
  return `/failures/${groups[0].fingerprint}`;
}

/** The page of an open incident, whose line is then on every page. */
async function incidentPath(): Promise<string> {
  const answer = await fetch(`${product.url}/api/v1/incidents`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ title: "The gateway refuses" }),
  });
  return `/incidents/${(await answer.json()).id}`;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(product.url + path);
  await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
  await expect(page.locator("main [aria-busy=true]")).toHaveCount(0);
}

/** Controls without an accessible name. */
async function readNameless(page: Page): Promise<string[]> {
  const tree = await page.locator("body").ariaSnapshot();
  return tree
    .split("\n")
    .filter((line) => /^\s*- (button|link|checkbox|textbox|combobox|switch|radio|dialog|table)(:| \[|$)/.test(line));
}

/** Headings that skip a level: an h1 followed by an h3. */
const readSkips = (page: Page) =>
  page.evaluate(() => {
    const levels = [...document.querySelectorAll("main h1, main h2, main h3, main h4")].map((node) =>
      Number(node.tagName[1]),
    );
    return levels.filter((level, index) => index > 0 && level > (levels[index - 1] ?? 0) + 1);
  });

interface Violation {
  id: string;
  impact: string | null;
  nodes: string[];
}

/** Violations that axe rates serious or critical, with their elements. */
async function readSerious(page: Page): Promise<Violation[]> {
  // Not added as a script element, which the product's content security policy would block.
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe: run } = window as unknown as { axe: typeof axe };
    const results = await run.run(document, { resultTypes: ["violations"] });
    return results.violations.map(({ id, impact, nodes }) => ({
      id,
      impact: impact ?? null,
      nodes: nodes.slice(0, 5).map((node) => `${node.target.join(" ")}: ${node.failureSummary ?? ""}`),
    }));
  });
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical");
}

test("pages have landmarks, headings in order, names, readable text and, to axe, nothing serious", async ({ page }) => {
  test.setTimeout(300_000);
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const [index, path] of paths.entries()) {
    await test.step(path, async () => {
      await open(page, path);
      await expect(page.getByRole("main")).toHaveCount(1);
      await expect(page.getByRole("banner")).toHaveCount(1);
      await expect(page.getByRole("navigation", { name: "Pages" })).toHaveCount(1);
      await expect(page).toHaveTitle(/\S/);
      expect(await page.locator("html").getAttribute("lang")).toBe("en");
      expect(await readNameless(page), `nameless on ${path}`).toEqual([]);
      expect(await readSkips(page), `skipped headings on ${path}`).toEqual([]);
      await expect.poll(() => readSerious(page), { message: path }).toEqual([]);
      // Only colours differ between the schemes, and pages share them.
      for (const colorScheme of EVERYTHING ? SCHEMES : SCHEMES.slice(index % 2, (index % 2) + 1)) {
        await page.emulateMedia({ colorScheme });
        await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
        // A colour may still be in transition.
        await expect
          .poll(() => readWeakText(page), { message: `weak contrast on ${path}, ${colorScheme}` })
          .toEqual([]);
      }
    });
  }
});
