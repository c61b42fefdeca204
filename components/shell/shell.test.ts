import { expect, test } from "vitest";
import { outboxHref } from "#components/outbox/outbox-href.ts";
import { matchShortcut, type Shortcut } from "#components/shortcuts/shortcut-store.ts";
import type { Figure } from "#contracts/common.ts";
import type { Snapshot } from "#contracts/outbox/snapshot.ts";
import { isCurrent, type NavCounts, OUTBOX_ITEMS } from "./nav-items.ts";
import { findPaletteEntries } from "./palette-entries.ts";

const href = (path: string, params?: Record<string, string | undefined>) => outboxHref(path, "orders", params);

test("a link keeps its outbox and its parameters", () => {
  expect(href("/messages", { state: "dead" })).toBe("/messages?outbox=orders&state=dead");
  expect(href("/messages?state=dead")).toBe("/messages?state=dead&outbox=orders");
  expect(href("/stuck?outbox=billing")).toBe("/stuck?outbox=billing");
  expect(outboxHref("/", undefined)).toBe("/");
});

test("of Messages, Dead letters and Archive exactly one is current", () => {
  const current = (pathname: string, state: string | null) =>
    OUTBOX_ITEMS.filter((item) => isCurrent(item, pathname, state)).map((item) => item.label);
  expect(current("/messages", null)).toEqual(["Messages"]);
  expect(current("/messages", "failed")).toEqual(["Messages"]);
  expect(current("/messages", "dead")).toEqual(["Dead letters"]);
  expect(current("/messages", "archived")).toEqual(["Archive"]);
  expect(current("/messages/018f", null)).toEqual(["Messages"]);
  expect(current("/", null)).toEqual(["Overview"]);
});

test("the number of dead letters is as exact as it is known", () => {
  const counted = (dead: Figure) => {
    const snapshot = { counts: { dead } } as Snapshot;
    return OUTBOX_ITEMS.find(({ label }) => label === "Dead letters")?.count?.({ snapshot } as NavCounts)?.text;
  };
  expect(counted({ value: 12_345, precision: "exact" })).toBe("12,345");
  expect(counted({ value: 12_345, precision: "estimate" })).toBe("≈ 12.3k");
  expect(counted({ value: 3, precision: "unknown" })).toBeUndefined();
});

const outboxes = [{ name: "orders" }, { name: "billing" }];

test("the palette finds pages and outboxes, and offers any other word as a search", () => {
  const find = (text: string) => findPaletteEntries({ text, outboxes, href }).map((entry) => entry.label);
  expect(find("bil")).toContain("billing");
  expect(find("stu")[0]).toBe("Stuck");
  expect(find("018f6c2e")[0]).toBe("Open message 018f6c2e");
});

const shortcut = (key: string): Shortcut => ({ key, description: key, run: () => undefined });
const event = (key: string, held: Partial<Record<"metaKey" | "ctrlKey" | "altKey", boolean>> = {}) => ({
  key,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  ...held,
});

test("⌘ and Ctrl mean the same, and never fire a plain letter", () => {
  const known = [shortcut("k"), shortcut("mod+k"), shortcut("X")];
  expect(matchShortcut(event("k"), known)?.key).toBe("k");
  expect(matchShortcut(event("k", { metaKey: true }), known)?.key).toBe("mod+k");
  expect(matchShortcut(event("k", { ctrlKey: true }), known)?.key).toBe("mod+k");
  expect(matchShortcut(event("X"), known)?.key).toBe("X");
  expect(matchShortcut(event("k", { altKey: true }), known)).toBeUndefined();
});
