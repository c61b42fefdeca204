import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { withIgnoredTable, withMapping, withStoreOfUrl } from "./edit-config.ts";

const TEXT = `# Owned by the orders team
stores:
  shop: { kind: postgres, url: "\${SHOP_URL}" } # read replica: none

outboxes:
  # do not rename: dashboards
  orders:
    store: shop
    table: public.outbox
    mode: operate # since May
    timeZone: Europe/Berlin
    lifecycle: { kind: timestamp }
    thresholds:
      oldestPending: { warn: 30s }
  mails:
    store: shop
    table: public.mails
`;

const entry = {
  store: "shop",
  table: "public.outbox",
  mode: "operate",
  columns: { id: "no", payload: "body" },
  lifecycle: { kind: "status", pending: ["0"], published: ["2"] },
};

describe("a mapping in outbox.yaml", () => {
  test("replaces the outbox's own; comments, thresholds and other outboxes stay", () => {
    const text = withMapping(TEXT, "orders", entry);
    const { lifecycle, columns, timeZone, thresholds, mode } = parse(text).outboxes.orders;
    expect({ lifecycle, columns, mode }).toEqual({
      lifecycle: entry.lifecycle,
      columns: entry.columns,
      mode: "operate",
    });
    expect(timeZone).toBeUndefined();
    expect(thresholds).toEqual({ oldestPending: { warn: "30s" } });
    for (const kept of ["# Owned by the orders team", "# read replica: none", "# do not rename", "# since May"])
      expect(text).toContain(kept);
    expect(parse(text).outboxes.mails).toEqual(parse(TEXT).outboxes.mails);
  });

  test("saved twice is the same text", () => {
    const once = withMapping(TEXT, "orders", entry);
    expect(withMapping(once, "orders", entry)).toBe(once);
  });

  test.each(["", "# nothing yet\n", "outboxes:\n", "outboxes: {}\n"])("is added to a file that says %j", (text) => {
    expect(parse(withMapping(text, "orders", entry)).outboxes).toEqual({ orders: entry });
  });

  test("names the store of DATABASE_URL in a new file only", () => {
    expect(parse(withStoreOfUrl("", "mysql"))).toEqual({
      stores: { default: { kind: "mysql", url: `$${"{DATABASE_URL}"}` } },
    });
    expect(withStoreOfUrl(TEXT, "mysql")).toBe(TEXT);
  });

  test("keeps a value that looks like a variable as it is", () => {
    const columns = { id: `a$${"{HOME}"}` };
    expect(withMapping(TEXT, "orders", { ...entry, columns })).toContain(`a$$${"{HOME}"}`);
  });

  test("leaves long lines, the indentation and the line ends as they are", () => {
    const url = `postgres://shop:secret@db-${"x".repeat(120)}.internal/shop?sslmode=require`;
    const text = `stores:\r\n    shop:\r\n        url: ${url} # primary\r\noutboxes:\r\n    orders:\r\n        store: shop\r\n`;
    const saved = withMapping(text, "orders", entry);
    expect(saved.startsWith(text)).toBe(true);
    expect(saved.replaceAll("\r\n", "")).not.toContain("\n");
  });

  test.each([
    [
      "an anchored outbox that another stands for",
      "outboxes:\n  orders: &base { store: shop, table: a }\n  mails: *base\n",
    ],
    [
      "anchored columns that another outbox uses",
      "outboxes:\n  orders:\n    columns: &cols { id: no }\n  mails: { columns: *cols }\n",
    ],
    ["an outbox written as an alias", "outboxes:\n  mails: &base { store: shop, table: a }\n  orders: *base\n"],
    ["settings merged from an alias", "base: &base { kind: status }\noutboxes:\n  orders: { lifecycle: *base }\n"],
    ["a list where a map belongs", "outboxes: [1]\n"],
    ["a list as the whole", "- 1\n"],
  ])("of %s is left to a person", (_, text) => {
    expect(() => withMapping(text, "orders", entry)).toThrow("only a person can change safely");
  });

  test("is not written into a text that is no YAML", () => {
    expect(() => withMapping("a: [", "orders", entry)).toThrow("is not valid YAML");
  });
});

test("an ignored table is added to those that are there", () => {
  const once = withIgnoredTable(TEXT, { store: "shop", table: "public.mail_queue" });
  const twice = withIgnoredTable(once, { store: "shop", table: "public.jobs" });
  expect(parse(twice).ignoredTables).toEqual([
    { store: "shop", table: "public.mail_queue" },
    { store: "shop", table: "public.jobs" },
  ]);
  expect(twice).toContain("# since May");
});
