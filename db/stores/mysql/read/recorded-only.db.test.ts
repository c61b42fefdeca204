import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MessageFilter } from "#db/stores/port/message-row.ts";
import type { Store } from "#db/stores/port/store.ts";
import { borrowMysqlDatabase, type MysqlTestDatabase } from "#tests/mysql.ts";
import { openMysqlStore } from "../open-mysql-store.ts";
import { CREATE_BOX, mapBox } from "../relay/box.fixture.ts";

/** A relay by log that marks nothing: producers delete rows in the transaction that inserts them. */
describe.each(["mysql", "mariadb"] as const)("messages of %s whose rows are gone", (flavor) => {
  let database: MysqlTestDatabase;
  let store: Store;

  beforeEach(async () => {
    database = await borrowMysqlDatabase(flavor);
    const { url, own, query } = database;
    await query(CREATE_BOX);
    await query("INSERT INTO box (aggregate_id, payload) VALUES ('a', 'x')");
    await query(
      `INSERT INTO ${own.database}.delivery (outbox, message_id, attempts, next_attempt_at, dead_at, last_failed_at)
       VALUES ('box', '1', 2, NOW(6), NULL, NOW(6)), ('box', '7', 2, NOW(6), NULL, NOW(6)), ('box', '8', 0, NOW(6), NULL, NULL), ('box', '9', 3, NULL, NOW(6), NOW(6))`,
    );
    store = openMysqlStore({ name: "shop", url, own, applicationName: "test" });
  });
  afterEach(async () => {
    await store.close();
    await database.drop();
  });

  test("are counted, and each list says how many it lacks", async () => {
    const box = mapBox(database.name);
    const mapping = { ...box, lifecycle: { kind: "log" as const, native: box.lifecycle as never } };
    const outbox = store.outbox({ name: "box", mapping, storeSide: true, maxAttempts: null, estimatedRows: 1 });
    const { counts } = await outbox.read.figures();
    expect([counts.failed.value, counts.dead.value, counts.pending.value]).toEqual([2, 1, 1]);
    const listed = async (state: MessageFilter["state"]) => {
      const { rows, recordedOnly } = await outbox.read.list({ filter: { state }, limit: 10 });
      return [rows.length, recordedOnly.value];
    };
    expect(await listed("failed")).toEqual([1, 1]);
    expect(await listed("dead")).toEqual([0, 1]);
    expect(await listed("failing")).toEqual([1, 2]);
    expect(await listed("unsent")).toEqual([1, 2]);
  });

  test("behind a failed one its own aggregate is counted, however many records wait for something else", async () => {
    const rows = Array.from({ length: 40 }, (_, n) => {
      const [aggregate, attempts] = [n < 3 ? "a" : "paused", n === 0 ? 2 : 0];
      return `('box', '${n + 100}', '${aggregate}', ${attempts}, NOW(6) + INTERVAL ${n} SECOND, UTC_TIMESTAMP(6) - INTERVAL ${n + 1} HOUR)`;
    });
    await database.query(
      `DELETE FROM ${database.own.database}.delivery;
       INSERT INTO ${database.own.database}.delivery (outbox, message_id, aggregate_key, attempts, next_attempt_at, created_at) VALUES ${rows.join(", ")}`,
    );
    const box = mapBox(database.name);
    const mapping = { ...box, lifecycle: { kind: "log" as const, native: box.lifecycle as never } };
    const outbox = store.outbox({ name: "box", mapping, storeSide: true, maxAttempts: null, estimatedRows: 1 });
    const { waiting, counts } = await outbox.read.figures();
    expect(waiting.blocked).toMatchObject({ messages: 2, aggregates: 1, capped: false });
    expect(waiting.oldest?.ageSeconds).toBeGreaterThan(39 * 3600);
    expect([counts.failed.value, counts.pending.value]).toEqual([1, 39]);
  });
});
