import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ConfigError } from "#domain/errors.ts";
import { ConfigFile } from "./config-file.ts";
import { type Environment, loadConfig, parseConfig } from "./load-config.ts";

const FILE = `stores: { shop: { kind: postgres, url: "postgres://shop@db/shop" } }
outboxes:
  order-events: { store: shop, table: t, thresholds: { dead: { warn: 2, fail: 9 } } }`;

function problemsOf(env: Environment, text = FILE): readonly string[] {
  try {
    parseConfig(text, env, "outbox.yaml");
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test("a variable sets what the file leaves open, and wins over what it says", () => {
  const config = parseConfig(
    FILE,
    {
      OUTBOX_CONSOLE__OUTBOXES__ORDER_EVENTS__THRESHOLDS__DEAD__WARN: "5",
      OUTBOX_CONSOLE__OUTBOXES__ORDER_EVENTS__THRESHOLDS__OLDEST_PENDING__FAIL: "10m",
      OUTBOX_CONSOLE__OUTBOXES__ORDER_EVENTS__COLUMNS__CREATEDAT: "occurred_at",
      OUTBOX_CONSOLE__CONSOLE__ALLOWED_HOSTS: "[ops.example.com, console.internal]",
      OUTBOX_CONSOLE__DISCOVER: "false",
      OUTBOX_CONSOLE__ENVIRONMENT: "1234",
    },
    "outbox.yaml",
  );
  expect(config.outboxes["order-events"]).toMatchObject({
    table: "t",
    columns: { createdAt: "occurred_at" },
    thresholds: { dead: { warn: 5, fail: 9 }, oldestPending: { warn: 60_000, fail: 600_000 } },
  });
  expect(config.console.allowedHosts).toEqual(["ops.example.com", "console.internal"]);
  expect(config.discover).toBe(false);
  expect(config.environment).toBe("1234");
});

test("variables alone are a configuration", () => {
  const config = loadConfig({
    OUTBOX_CONSOLE__STORES__SHOP__KIND: "postgres",
    OUTBOX_CONSOLE__STORES__SHOP__URL: "postgres://db/shop",
    OUTBOX_CONSOLE__OUTBOXES__ORDERS: "{ store: shop, table: outbox }",
  });
  expect(config.stores.shop?.url).toBe("postgres://db/shop");
  expect(config.outboxes.orders?.table).toBe("outbox");
});

test("a fault names the variable that it is in", () => {
  const problems = problemsOf({
    OUTBOX_CONSOLE__OUTBOXES__ORDER_EVENTS__COLOUR: "red",
    OUTBOX_CONSOLE__OUTBOXES__ORDER_EVENTS__THRESHOLDS__DEAD__WARN: "many",
    OUTBOX_CONSOLE__STORES__SHOP__URL: "http://db",
    OUTBOX_CONSOLE__CONSOLE____KEEP: "1d",
    OUTBOX_CONSOLE__ENVIRONMENT: "\u0024{NOT_SET}",
  });
  expect(problems).toEqual([
    "OUTBOX_CONSOLE__CONSOLE____KEEP: a name is empty under console",
    "OUTBOX_CONSOLE__OUTBOXES__ORDER_EVENTS__COLOUR: outboxes.order-events has no setting COLOUR",
    "outbox.yaml: the environment variable NOT_SET is not set",
    "OUTBOX_CONSOLE__STORES__SHOP__URL: stores.shop.url: must be a postgres:// URL",
    expect.stringMatching(
      /^OUTBOX_CONSOLE__OUTBOXES__ORDER_EVENTS__THRESHOLDS__DEAD__WARN: outboxes\.order-events\.thresholds\.dead\.warn: .*number/,
    ),
  ]);
});

test("a name such as __proto__ is a name", () => {
  expect(problemsOf({ OUTBOX_CONSOLE__STORES__CONSTRUCTOR__KIND: "postgres" }).join()).toContain(
    "stores.constructor.url",
  );
  expect(({} as Record<string, unknown>).kind).toBeUndefined();
});

test("the whole configuration can be the text of a variable, which is not written", () => {
  const env = { OUTBOX_CONFIG_YAML: FILE };
  expect(loadConfig(env).outboxes["order-events"]?.table).toBe("t");
  expect(new ConfigFile(env).refusal()).toBe(
    "The configuration is the text of OUTBOX_CONFIG_YAML, which cannot be written.",
  );
  expect(() => loadConfig({ ...env, OUTBOX_CONFIG: "outbox.yaml" })).toThrow(
    /OUTBOX_CONFIG or OUTBOX_CONFIG_YAML, not both/,
  );
  expect(() => loadConfig({ OUTBOX_CONFIG_YAML: "stores: [" })).toThrow(/^OUTBOX_CONFIG_YAML: /m);
});

test("a value can be a file's content, without its last line end", () => {
  const folder = mkdtempSync(join(tmpdir(), "secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "password"), "s3cret\n");
  const text = (name: string) =>
    `stores: { shop: { kind: postgres, url: "postgres://shop:\u0024{FILE:${folder}/${name}}@db/shop" } }`;
  expect(parseConfig(text("password"), {}, "outbox.yaml").stores.shop?.url).toBe("postgres://shop:s3cret@db/shop");
  expect(problemsOf({}, text("gone"))).toEqual([`outbox.yaml: the file ${folder}/gone cannot be read (ENOENT)`]);
});
