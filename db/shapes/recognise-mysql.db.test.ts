import { describe, expect, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { openMysqlStore } from "../stores/mysql/open-mysql-store.ts";
import { recogniseInbox } from "./inbox/recognise-inbox.ts";
import { readLooked } from "./looked-catalog.fixture.ts";
import { looksLikeOutbox, recogniseOutbox } from "./recognise.ts";

const TUTORIAL = `
CREATE TABLE outbox (
  id char(36) NOT NULL PRIMARY KEY, aggregate_type varchar(255) NOT NULL, aggregate_id varchar(255) NOT NULL,
  event_type varchar(255) NOT NULL, payload json NOT NULL, created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  published_at datetime(6));`;
const WITH_LOCKS = TUTORIAL.replace(
  "published_at datetime(6)",
  "published_at datetime(6), lock_token char(36), locked_at datetime(6)",
);
const STATUS_TABLE = `
CREATE TABLE \`OUTBOX\` (
  OUTBOX_ID varchar(36) NOT NULL PRIMARY KEY, AGGREGATE_ID varchar(64), EVENT_TYPE varchar(64), PAYLOAD longtext NOT NULL,
  CREATED_AT varchar(14) NOT NULL, PUBLISHED_AT varchar(14), STATUS varchar(20) NOT NULL DEFAULT 'PENDING',
  RETRY_COUNT int NOT NULL DEFAULT 0, ERROR_MESSAGE text);`;
const JPA = `
CREATE TABLE outbox_event (
  id binary(16) NOT NULL PRIMARY KEY, aggregate_type varchar(255), aggregate_id varchar(255), type varchar(255),
  payload longtext NOT NULL, created_at datetime(6) NOT NULL, published bit(1) NOT NULL DEFAULT b'0');`;
const SERIAL = `
CREATE TABLE outbox_messages (
  id bigint unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY, event_type varchar(100) NOT NULL, payload json NOT NULL,
  status enum('pending','processing','processed','failed') NOT NULL DEFAULT 'pending', attempts int NOT NULL DEFAULT 0,
  created_at timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), processed_at timestamp(6) NULL);`;
const INBOXES = `
CREATE TABLE inbox (message_id char(36) NOT NULL PRIMARY KEY, event_type varchar(100), received_at datetime(6) NOT NULL, processed_at datetime(6));
CREATE TABLE processed_events (consumer varchar(100) NOT NULL, event_id char(36) NOT NULL, processed_at datetime(6) NOT NULL, PRIMARY KEY (consumer, event_id));`;

describe.each(["mysql", "mariadb"] as const)("tables of %s", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");

  const discover = async (ddl: string) => {
    const store = openMysqlStore({ name: "shop", url: database().url, applicationName: "test", own: database().own });
    try {
      await database().query(ddl);
      const tables = await readLooked(store);
      const inboxes = tables.flatMap((table) => recogniseInbox(table) ?? []);
      const others = tables.filter((table) => !inboxes.some((inbox) => inbox.table.name === table.name));
      const outboxes = others.filter(looksLikeOutbox).map((table) => recogniseOutbox(table, tables));
      return { outboxes, inboxes, tables };
    } finally {
      const tables = await readLooked(store);
      for (const { name } of tables) await database().query(`DROP TABLE \`${name}\``);
      await store.close();
    }
  };
  const recognise = async (ddl: string) => {
    const { outboxes } = await discover(ddl);
    expect(outboxes).toHaveLength(1);
    const [one] = outboxes;
    if (!one || "problem" in one) throw new Error(one?.problem ?? "nothing was found");
    const roles = Object.fromEntries(Object.entries(one.mapping.columns).map(([role, { name }]) => [role, name]));
    return { ...one, roles };
  };

  test("the tutorial's outbox, with and without columns of a lock", async () => {
    for (const ddl of [TUTORIAL, WITH_LOCKS]) {
      const { mapping, roles } = await recognise(ddl);
      expect(roles).toMatchObject({
        ...{ id: "id", aggregateType: "aggregate_type", aggregateId: "aggregate_id", eventType: "event_type" },
        ...{ payload: "payload", createdAt: "created_at", publishedAt: "published_at" },
      });
      expect(mapping.lifecycle).toMatchObject({ kind: "timestamp", column: { name: "published_at" } });
      expect(mapping.columns.createdAt?.time).toEqual({ kind: "timestamp", zone: "UTC" });
      expect(mapping.table).toEqual({ schema: database().name, name: "outbox" });
    }
  });

  test("a status table in capitals, with times as 14 digits and the word of its default first", async () => {
    const { mapping, roles } = await recognise(STATUS_TABLE);
    expect(roles).toMatchObject({
      id: "OUTBOX_ID",
      status: "STATUS",
      attempts: "RETRY_COUNT",
      lastError: "ERROR_MESSAGE",
    });
    expect(mapping.table.name).toBe("OUTBOX");
    expect(mapping.columns.createdAt?.time).toEqual({ kind: "compact-text", zone: "UTC" });
    if (mapping.lifecycle.kind !== "status") throw new Error(mapping.lifecycle.kind);
    expect(mapping.lifecycle.pending[0]).toBe("PENDING");
    expect(mapping.lifecycle.guessed).toBe(true);
  });

  test("a table of an object mapper: binary ids and a flag of one bit", async () => {
    const { mapping, roles } = await recognise(JPA);
    expect(mapping.lifecycle).toMatchObject({ kind: "flag", column: { name: "published", type: "bit(1)" } });
    expect(roles).toMatchObject({ id: "id", eventType: "type", payload: "payload" });
  });

  test("words of an enum, a numbered id as the order, instants", async () => {
    const { mapping, roles } = await recognise(SERIAL);
    expect(roles).toMatchObject({ id: "id", order: "id", status: "status", attempts: "attempts" });
    expect(mapping.lifecycle).toMatchObject({
      ...{ kind: "status", guessed: false, pending: ["pending"], inFlight: ["processing"], published: ["processed"] },
      failed: ["failed"],
    });
    expect(mapping.columns.createdAt?.time).toEqual({ kind: "timestamptz" });
  });

  test("inboxes", async () => {
    const { inboxes } = await discover(INBOXES);
    expect(
      inboxes.map(({ table, messageId, tracksProcessing }) => [table.name, messageId.name, tracksProcessing]),
    ).toEqual([
      ["inbox", "message_id", true],
      ["processed_events", "event_id", false],
    ]);
  });
});
