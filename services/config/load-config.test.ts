import { expect, test } from "vitest";
import { ConfigError } from "#domain/errors.ts";
import { loadConfig, parseConfig } from "./load-config.ts";

const ENV = { SHOP: "postgres://shop@db/shop", PASSWORD: "s3cret", EMPTY: "" };

function problemsOf(text: string): readonly string[] {
  try {
    parseConfig(text, ENV, "outbox.yaml");
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test("a whole configuration, with its defaults", () => {
  const config = parseConfig(
    `environment: production
stores:
  shop: { kind: postgres, url: "\${SHOP}" }
outboxes:
  orders: { store: shop, table: public.outbox_events, columns: { createdAt: occurred_at }, mode: relay, relay: { sink: hook, retry: { max: 2h } } }
sinks:
  hook: { kind: http, url: "https://example.com/$\${literal}" }`,
    ENV,
    "outbox.yaml",
  );
  expect(config.stores.shop?.url).toBe(ENV.SHOP);
  expect(config.outboxes.orders?.thresholds.oldestPending).toEqual({ warn: 60_000, fail: 300_000 });
  expect(config.outboxes.orders?.relay).toMatchObject({ maxAttempts: 10, retry: { initial: 1000, max: 7_200_000 } });
  expect(config.auth).toEqual({ mode: "none" });
});

test("every problem at once, each with its path", () => {
  const problems = problemsOf(`environmnt: production
stores:
  shop: { kind: mysql, url: "http://x" }
  odd: { kind: oracle, url: "http://x" }
  Bad Name: { kind: postgres, url: "postgres://x" }
  lost: { kind: postgres, url: "\${NOT_SET}" }
outboxes:
  orders: { store: nowhere, table: "", mode: relay, timeZone: Mars/Base, thresholds: { oldestPending: { warn: "soon" } } }
  bills: { store: shop, table: bills, columns: { colour: red }, relay: { sink: none, maxAttempts: 0 } }
auth: { mode: password, passwords: { admin: "plain text" } }`);
  const all = problems.join("\n");
  for (const expected of [
    "outbox.yaml: environmnt: there is no such setting",
    "stores.odd.kind: only `postgres`, `mysql` and `dynamodb` are supported",
    "stores.shop.url: must be a mysql:// or mariadb:// URL",
    "stores.Bad Name",
    "the environment variable NOT_SET is not set",
    "outboxes.orders.table",
    "outboxes.orders.timeZone: is not a time zone",
    '"soon" is not a duration',
    "outboxes.bills.columns",
    "outboxes.bills.relay.maxAttempts",
    "auth.passwords.admin: is not a hash",
  ])
    expect(all).toContain(expected);
  expect(all).not.toContain("stores.lost");
  for (const problem of problems) expect(problem).toMatch(/^outbox\.yaml: /);
});

test("a row without a status may be pending, and nothing else", () => {
  const yaml = (lists: string) =>
    `stores: { shop: { kind: postgres, url: "postgres://x" } }\noutboxes: { orders: { store: shop, table: t, lifecycle: { kind: status, ${lists} } } }`;
  const variable = { OUTBOX_CONSOLE__OUTBOXES__ORDERS__LIFECYCLE__PENDING: "[null, RETRY]" };
  for (const config of [
    parseConfig(yaml("pending: [null, RETRY]"), ENV, "outbox.yaml"),
    parseConfig(yaml("pending: [NEW]"), { ...ENV, ...variable }, "outbox.yaml"),
  ])
    expect(config.outboxes.orders?.lifecycle?.pending).toEqual([null, "RETRY"]);
  expect(problemsOf(yaml("pending: [null], published: [S, null]"))).toEqual([
    "outbox.yaml: outboxes.orders.lifecycle.published.1: cannot be null: only pending may have null, for rows without a status",
  ]);
});

test("a setting that is missing or misspelled is named where it stands", () => {
  expect(
    problemsOf(
      'stores: { shop: { kind: postgres, url: "postgres://x" } }\noutboxes: { orders: { store: shop, tabel: t } }',
    ),
  ).toEqual([
    "outbox.yaml: outboxes.orders.table: is missing",
    "outbox.yaml: outboxes.orders.tabel: there is no such setting",
  ]);
});

test("a kind that is missing or unknown is asked for with the kinds that there are", () => {
  const problems = problemsOf(
    'stores: { shop: { url: "postgres://x" } }\nsinks: { events: { url: "http://x" }, queue: { kind: sqs } }',
  );
  expect(problems).toEqual([
    "outbox.yaml: stores.shop.kind: is missing: one of postgres, mysql, dynamodb",
    "outbox.yaml: sinks.events.kind: is missing: one of log, http, kafka, rabbitmq, nats, redis",
    "outbox.yaml: sinks.queue.kind: must be one of log, http, kafka, rabbitmq, nats, redis",
  ]);
});

test("references between sections are checked", () => {
  const problems = problemsOf(`stores: { shop: { kind: postgres, url: "\${SHOP}" } }
outboxes:
  orders: { store: nowhere, table: t, mode: relay }
  bills: { store: shop, table: t, relay: { sink: gone } }
inboxes: { loyalty: { store: nowhere, table: t } }`);
  expect(problems).toEqual([
    'outbox.yaml: outboxes.orders.store: there is no store named "nowhere"',
    "outbox.yaml: outboxes.orders.relay: mode relay needs a relay section",
    "outbox.yaml: outboxes.bills.mode: a relay section needs mode: relay",
    'outbox.yaml: outboxes.bills.relay.sink: there is no sink named "gone"',
    'outbox.yaml: inboxes.loyalty.store: there is no store named "nowhere"',
  ]);
});

test("an inbox that is checked names its outbox, and what only a check would use needs one", () => {
  const problems = problemsOf(`stores: { shop: { kind: postgres, url: "\${SHOP}" } }
inboxes:
  loyalty: { store: shop, table: t, processWithin: 5m }
  billing: { store: shop, table: t, outbox: [orders, payments], eventTypes: [order.paid], keeps: 30d }`);
  expect(problems).toEqual([
    "outbox.yaml: inboxes.loyalty.processWithin: needs outbox: whose messages the consumer processes",
    "outbox.yaml: inboxes.billing.eventTypes: is used with processWithin only: set that too",
    "outbox.yaml: inboxes.billing.keeps: is used with processWithin only: set that too",
  ]);
});

test("references are told together with everything else that is wrong", () => {
  const problems = problemsOf(`stores: { shop: { kind: oracle, url: "\${SHOP}" } }
outboxes:
  orders: { store: nowhere, table: t, mode: relay, relay: { sink: gone, maxAttempts: none } }
  bills: { store: shop, table: t, mode: relay, relay: { sink: hook, route: { preset: cloudevents, mode: batch } } }
  odd: 5
inboxes: { loyalty: { store: nowhere, table: t, colour: red }, other: { store: 7 } }
sinks: { hook: { kind: http, url: "https://example.com/" } }
auth: { mode: sometimes }`);
  const all = problems.join("\n");
  for (const expected of [
    "stores.shop.kind: only `postgres`",
    'outboxes.orders.store: there is no store named "nowhere"',
    'outboxes.orders.relay.sink: there is no sink named "gone"',
    "outboxes.orders.relay.maxAttempts: ",
    'outboxes.bills.relay.route.mode: the sink "hook" sends one event per request',
    "outboxes.odd: ",
    'inboxes.loyalty.store: there is no store named "nowhere"',
    "auth.mode: ",
  ])
    expect(all).toContain(expected);
  expect(all).not.toContain("outboxes.bills.store");
  expect(new Set(problems).size).toBe(problems.length);
});

test("a reference that waits for its variable is told once, and so is one to sections that are no sections", () => {
  expect(problemsOf(`outboxes: { orders: { store: "\${NO_SUCH}", table: t } }`)).toEqual([
    "outbox.yaml: the environment variable NO_SUCH is not set",
  ]);
  const problems = problemsOf("stores: 5\noutboxes: { orders: { store: shop, table: t } }");
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(/^outbox\.yaml: stores: /);
});

test.each([
  ["no YAML", "stores: [unclosed"],
  ["a tab", "stores:\n\tshop: 1"],
  ["a key twice", "environment: a\nenvironment: b"],
  ["an alias to nothing", "environment: *nothing"],
  [
    "a bomb",
    `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefgh"].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[index]}`)}]`).join("\n")}`,
  ],
  ["a word", "hello"],
  ["a list", "- a\n- b"],
  ["two documents", "a: 1\n---\nb: 2"],
  ["binary", "\u0000\u0001\u0002"],
])("%s is a problem, not a crash", (_, text) => {
  expect(problemsOf(text).length).toBeGreaterThan(0);
});

test("an empty file is a configuration of defaults", () => {
  expect(parseConfig("", {}, "outbox.yaml").stores).toEqual({});
  expect(parseConfig("# nothing yet", { DATABASE_URL: "postgres://x" }, "outbox.yaml").stores.default?.url).toBe(
    "postgres://x",
  );
});

test("a secret is not shown in a problem", () => {
  expect(problemsOf(`stores: { shop: { kind: postgres, url: "\${PASSWORD}" } }`).join()).not.toContain("s3cret");
});

test("DATABASE_URL alone observes; without anything it says what is needed; a file that is not there is named", () => {
  expect(loadConfig({ DATABASE_URL: "postgres://x" }).outboxes).toEqual({});
  expect(loadConfig({ DATABASE_URL: "mysql://host/shop" }).stores.default?.kind).toBe("mysql");
  expect(() => loadConfig({ DATABASE_URL: "oracle://x" })).toThrow(/must be a postgres:\/\/, mysql:\/\/ or mariadb:/);
  expect(() => loadConfig({})).toThrow(/no database is configured/);
  expect(() => loadConfig({ OUTBOX_CONFIG: "/no/such/outbox.yaml" })).toThrow(/cannot be read \(ENOENT\)/);
});

test("templates and routes that cannot work are told with their paths", () => {
  const relay = (route: string) => `{ table: t, mode: relay, relay: { sink: hook, route: ${route} } }`;
  const problems = problemsOf(`stores: { default: { kind: postgres, url: "\${SHOP}" } }
outboxes:
  a: ${relay('{ topic: "{eventType:loud}", key: "{", headers: { x-op: "" }, source: /shop }')}
  d: ${relay('{ topic: "orders.{eventType:prefix:lower}" }')}
sinks: { hook: { kind: http, url: "https://example.com/" } }`);
  const all = problems.join("\n");
  for (const expected of [
    'outboxes.a.relay.route.topic: has an unknown filter "loud"',
    'outboxes.a.relay.route.key: has a "{" without a "}"',
    "outboxes.a.relay.route.headers.x-op: is empty",
  ])
    expect(all).toContain(expected);
  expect(all).not.toMatch(/outboxes\.d/);
});

test("settings of CloudEvents belong to its preset, and batches to http", () => {
  const problems = problemsOf(`stores: { default: { kind: postgres, url: "\${SHOP}" } }
outboxes:
  b: { table: t, mode: relay, relay: { sink: hook, route: { mode: structured, source: /shop } } }
  c: { table: t, mode: relay, relay: { sink: bus, route: { preset: cloudevents, mode: batch } } }
  d: { table: t, mode: relay, relay: { sink: hook, route: { preset: cloudevents, mode: batch, source: /shop } } }
  e: { table: t, mode: relay, relay: { sink: single, route: { preset: cloudevents, mode: batch } } }
sinks:
  hook: { kind: http, url: "https://example.com/", batch: 100 }
  single: { kind: http, url: "https://example.com/", batch: 1 }
  bus: { kind: kafka, brokers: ["b:9092"] }`);
  expect(problems).toEqual([
    "outbox.yaml: outboxes.b.relay.route.mode: is for preset cloudevents only",
    "outbox.yaml: outboxes.b.relay.route.source: is for preset cloudevents only",
    "outbox.yaml: outboxes.c.relay.route.mode: batch is for sinks of the kind http only",
    'outbox.yaml: outboxes.e.relay.route.mode: the sink "single" sends one event per request, which is not a batch: set its batch above 1, or use mode: structured',
  ]);
});

test("409 confirms single events only", () => {
  const sinks = (more: string) => `sinks: { shop: { kind: http, url: "http://gateway/events", ${more} } }`;
  expect(parseConfig(sinks("confirms: [200, 409]"), {}, "outbox.yaml").sinks.shop).toMatchObject({ batch: 1 });
  expect(() => parseConfig(sinks("confirms: [200, 409], batch: 5"), {}, "outbox.yaml")).toThrow(
    /sinks\.shop\.confirms: 409 confirms single events only/,
  );
});

test("a mysql store keeps our tables in a database of their own, or under a prefix, and not both", () => {
  const store = (own: string) => `stores: { shop: { kind: mysql, url: "mysql://host/shop"${own} } }`;
  const placeOf = (own: string) => parseConfig(store(own), {}, "outbox.yaml").stores.shop;
  expect(placeOf("")).toMatchObject({ own: { database: "outbox_console" } });
  expect(placeOf(", ownDatabase: billing_console")).toMatchObject({ own: { database: "billing_console" } });
  expect(placeOf(", ownPrefix: oc_")).toMatchObject({ own: { prefix: "oc_" } });
  expect(problemsOf(store(", ownDatabase: a, ownPrefix: b_"))).toEqual([
    expect.stringContaining("stores.shop.ownPrefix: our tables are in a database of their own or under a prefix"),
  ]);
});

test("a relay over a mysql store may read the log and cannot wait for notifications", () => {
  const relay = "relay: { sink: out, source: cdc, notify: hints }";
  const problems = problemsOf(`stores: { shop: { kind: mysql, url: "mysql://host/shop" } }
outboxes: { orders: { store: shop, table: outbox, mode: relay, ${relay} } }
sinks: { out: { kind: log } }`);
  expect(problems).toEqual(["outbox.yaml: outboxes.orders.relay.notify: a mysql store has no notifications"]);
});

test("a dynamodb store is a region, perhaps another server, and families of items", () => {
  const store = (more: string) =>
    `stores: { shop: { kind: dynamodb, region: eu-central-1, families: { orders: { table: shop${more} } } } }`;
  expect(parseConfig(store(""), {}, "outbox.yaml").stores.shop).toMatchObject({
    url: "dynamodb://eu-central-1",
    ownTable: "outbox_console",
    readUnitsPerMinute: 3000,
    families: { orders: { table: "shop", attributes: {} } },
  });
  const local = store("").replace("eu-central-1,", 'eu-central-1, endpoint: "http://127.0.0.1:8000",');
  expect(parseConfig(local, {}, "outbox.yaml").stores.shop?.url).toBe(
    "dynamodb://eu-central-1?endpoint=http%3A%2F%2F127.0.0.1%3A8000",
  );
  expect(problemsOf(store(", attributes: { payload: varchar }"))).toEqual([
    expect.stringContaining("stores.shop.families.orders.attributes.payload"),
  ]);
  expect(problemsOf("stores: { shop: { kind: dynamodb, region: eu-central-1, families: {} } }")).toEqual([
    "outbox.yaml: stores.shop.families: names no item family",
  ]);
});

test("a relay over a dynamodb store polls an index, or reads the stream, and waits for no notifications", () => {
  const configOf = (family: string, relay = "") => `stores:
  shop: { kind: dynamodb, region: eu-central-1, families: { orders: { table: shop${family} } } }
outboxes: { orders: { store: shop, table: orders, mode: relay, relay: { sink: out${relay} } } }
sinks: { out: { kind: log } }`;
  const indexed = ", waiting: { index: unpublished, keys: [yes] }, keepPublished: { attribute: ttl, days: 7 }";
  expect(problemsOf(configOf(""))).toEqual([
    "outbox.yaml: outboxes.orders.mode: a relay finds waiting items by an index: set stores.shop.families.orders.waiting",
  ]);
  expect(problemsOf(configOf("", ", notify: hints, source: cdc"))).toEqual([
    "outbox.yaml: outboxes.orders.relay.notify: a dynamodb store has no notifications",
  ]);
  expect(parseConfig(configOf(indexed), {}, "outbox.yaml").stores.shop).toMatchObject({
    families: { orders: { keepPublished: { attribute: "ttl", days: 7 } } },
  });
});
