import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { messageQuerySchema } from "#contracts/message/messages.ts";
import { openTestRuntime } from "#tests/factories/runtime.ts";
import { testDatabase } from "#tests/postgres.ts";
import { listInboxes } from "../inboxes/list-inboxes.ts";
import { listMessages } from "../messages/list-messages.ts";
import type { Runtime } from "../runtime.ts";

const database = testDatabase("migrated");
let runtime: Runtime;

beforeEach(() => database().pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public"));
afterEach(() => runtime.close());

async function messagesOf(ddl: string, table: string, columns: Record<string, string> = {}) {
  await database().pool.query(ddl);
  runtime = openTestRuntime(database().url, { outboxes: { orders: { store: "shop", table, columns } } });
  const { mapping } = await runtime.outbox("orders");
  const query = messageQuerySchema.parse({ state: "all" });
  const { messages } = await listMessages({ runtime, outbox: "orders", query });
  return { mapping, messages: messages.toSorted((one, other) => Number(one.id) - Number(other.id)) };
}

const states = (messages: readonly { state: string }[]) => messages.map(({ state }) => state);

describe("the values of a table that outbox.yaml names are looked at, whatever it is called", () => {
  test("a flag that is null, true or false says nothing of which rows wait", async () => {
    const { messages } = await messagesOf(
      `CREATE TABLE lagerbuchung (id bigserial PRIMARY KEY, typ text, inhalt jsonb, verschickt boolean);
       INSERT INTO lagerbuchung (typ, inhalt, verschickt) VALUES ('a', '{}', NULL), ('a', '{}', true), ('a', '{}', false)`,
      "lagerbuchung",
    );
    expect(states(messages)).toEqual(["unknown", "unknown", "unknown"]);
  });

  test("numbers are times of the unit that their digits show", async () => {
    const { messages } = await messagesOf(
      `CREATE TABLE kassenbeleg (id bigserial PRIMARY KEY, typ text, inhalt jsonb, gesendet bigint, angelegt bigint);
       INSERT INTO kassenbeleg (typ, inhalt, gesendet, angelegt) VALUES ('a', '{}', NULL, 1764000000), ('a', '{}', 1764000004, 1764000000)`,
      "kassenbeleg",
    );
    expect(states(messages)).toEqual(["pending", "published"]);
    expect(messages[0]?.createdAt).toMatch(/^2025-11-24T/);
  });

  test("a number that is named as the published mark has 0 while a row waits", async () => {
    const { messages } = await messagesOf(
      `CREATE TABLE kassenbeleg (id bigserial PRIMARY KEY, typ text, inhalt jsonb, sent int NOT NULL DEFAULT 0, angelegt int NOT NULL);
       INSERT INTO kassenbeleg (typ, inhalt, sent, angelegt) VALUES ('a', '{}', 0, 1764000000), ('a', '{}', 1764000004, 1764000000)`,
      "kassenbeleg",
      { publishedAt: "sent" },
    );
    expect(states(messages)).toEqual(["pending", "published"]);
  });

  test("so are those of a column that is named beside it", async () => {
    const { messages } = await messagesOf(
      `CREATE TABLE kassenbeleg (id bigserial PRIMARY KEY, typ text, inhalt jsonb, gesendet_am timestamptz, xyz bigint);
       INSERT INTO kassenbeleg (typ, inhalt, xyz) VALUES ('a', '{}', 1764000000)`,
      "kassenbeleg",
      { createdAt: "xyz" },
    );
    expect(messages[0]?.createdAt).toMatch(/^2025-11-24T/);
  });

  test("a status shows its words", async () => {
    const { mapping } = await messagesOf(
      `CREATE TABLE kassenbeleg (id bigserial PRIMARY KEY, typ text, inhalt jsonb, status text NOT NULL);
       INSERT INTO kassenbeleg (typ, inhalt, status) VALUES ('a', '{}', 'versandt')`,
      "kassenbeleg",
    );
    expect(mapping.lifecycle).toMatchObject({ kind: "status", shown: ["versandt"] });
  });

  test("an inbox's placeholder is no time of processing", async () => {
    await database().pool.query(
      `CREATE TABLE eingangsdaten (message_id text PRIMARY KEY, eingang_am timestamptz, verarbeitet_am timestamptz);
       INSERT INTO eingangsdaten VALUES ('m1', now(), '0001-01-01'), ('m2', now(), now())`,
    );
    runtime = openTestRuntime(database().url, { inboxes: { orders: { store: "shop", table: "eingangsdaten" } } });
    expect((await listInboxes({ runtime })).inboxes).toMatchObject([{ tracksProcessing: false, mark: "none" }]);
  });
});

test("a table that is only in other schemas is said to be there", async () => {
  await database().pool.query(
    "CREATE SCHEMA IF NOT EXISTS billing; CREATE TABLE IF NOT EXISTS billing.outbox (id int PRIMARY KEY, payload text)",
  );
  runtime = openTestRuntime(database().url, { outboxes: { orders: { store: "shop", table: "outbox" } } });
  await expect(runtime.outbox("orders")).rejects.toThrow(
    "is not in store shop, or is a view, or its user may not see it. Name it with its schema: there is billing.outbox.",
  );
});
