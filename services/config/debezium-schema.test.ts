import { expect, test } from "vitest";
import { ConfigError } from "#domain/errors.ts";
import { parseConfig } from "./load-config.ts";

const ENV = { SHOP: "postgres://shop@db/shop", PASSWORD: "s3cret" };

function parse(relay: string, rest = ""): ReturnType<typeof parseConfig> {
  return parseConfig(
    `stores:
  shop: { kind: postgres, url: "\${SHOP}" }
outboxes:
  orders: { store: shop, table: public.outbox, relay: ${relay}${rest} }
sinks:
  hook: { kind: http, url: "http://x/" }`,
    ENV,
    "outbox.yaml",
  );
}

function problemsOf(relay: string, rest = ""): string {
  try {
    parse(relay, rest);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.join("\n");
    throw error;
  }
  return "";
}

const DEBEZIUM = `{ source: debezium, connect: "http://ops:\${PASSWORD}@connect:8083", connector: orders-connector }`;

test("an outbox that Debezium publishes has no relay of ours, and its address has no password", () => {
  const { relay, debezium, mode } = parse(DEBEZIUM).outboxes.orders ?? {};
  expect({ relay, mode }).toEqual({ relay: undefined, mode: "observe" });
  expect(debezium).toEqual({
    source: "debezium",
    connect: { address: "http://connect:8083/", authorization: `Basic ${btoa("ops:s3cret")}` },
    connector: "orders-connector",
    otherReaders: [],
  });
});

test.each([
  ["a relay of ours beside it", DEBEZIUM, ", mode: relay", "our relay would send its messages again"],
  ["a lifecycle of the rows", DEBEZIUM, ", lifecycle: { kind: delete }", "leave it out"],
  ["retention", DEBEZIUM, ", mode: operate, retention: { published: { keep: 7d } }", "no row of an outbox"],
  [
    "a URL that is none",
    "{ source: debezium, connect: nowhere, connector: c }",
    "",
    "must be an http:// or https:// URL",
  ],
  ["a setting of our relay", `{ source: debezium, connect: "http://c/", connector: c, sink: hook }`, "", "sink"],
  ["another source", "{ source: kafka, sink: hook }", "", "must be polling, cdc or debezium"],
])("%s is refused", (_, relay, rest, expected) => {
  expect(problemsOf(relay, rest)).toContain(expected);
});

test("a URL with a wrong escape is refused without its password", () => {
  const problems = problemsOf('{ source: debezium, connect: "http://ops:s3cret%@connect:8083", connector: c }');
  expect(problems).toContain("write it as %25");
  expect(problems).not.toContain("s3cret");
});

test("a relay without a source still polls", () => {
  expect(parse("{ sink: hook }", ", mode: relay").outboxes.orders?.relay?.source).toBe("polling");
});
