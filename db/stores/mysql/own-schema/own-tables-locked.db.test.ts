import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { troubleOf } from "#db/stores/port/store-error.ts";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createStorePools, type StorePools } from "../connection/store-pools.ts";
import { readWhyReadOnly } from "../diagnosis-facts/read-why-read-only.ts";
import { readFigures } from "../read/read-figures.ts";

/** The relay of a deployment that has no other, silent for a minute. */
const SILENT = `INSERT INTO relay_instance (id, outbox, host, pid, version, state, source, sink, latency, heartbeat_at, routes)
  VALUES ('a', 'orders', 'shop-1', 1, '1', 'owner', 'polling', '{}', '[]', UTC_TIMESTAMP(6) - INTERVAL 1 MINUTE, '[]')`;

/** MariaDB records metadata locks only where it was started with performance_schema. */
describe("our own tables on mysql", () => {
  const database = testMysqlDatabase("mysql");
  let pools: StorePools;
  beforeAll(async () => {
    const { url, own, query } = database();
    pools = createStorePools({ url, own, applicationName: "outbox-console test" });
    await query(
      "CREATE TABLE events (id bigint PRIMARY KEY, payload text, sent tinyint(1) NOT NULL DEFAULT 0, KEY (sent))",
    );
    await query(SILENT.replace("relay_instance", `${own.database}.relay_instance`));
  });
  afterAll(() => pools.close());

  const column = (name: string, type: string) => ({ name, type, nullable: false, from: "config" as const });
  const ref = (): OutboxRef => ({
    name: "orders",
    mapping: {
      table: { schema: database().name, name: "events" },
      primaryKey: [column("id", "bigint")],
      columns: { id: column("id", "bigint"), payload: column("payload", "text") },
      lifecycle: { kind: "flag", column: column("sent", "tinyint(1)") },
      deadAttempts: null,
      archiveTable: null,
      shape: "generic",
    },
    storeSide: true,
    maxAttempts: null,
    estimatedRows: 0,
  });
  const connect = async () => {
    const connection = await database().connect();
    onTestFinished(() => connection.destroy());
    return connection;
  };
  const figures = () => readFigures(pools.reads(), ref());
  const own = (table: string) => `${database().own.database}.${table}`;

  test.each([
    ["claim", null, "its relay cannot claim or mark"],
    ["delivery", "locked", "what its relay does is not known"],
    ["pause", "locked", "what its relay does is not known"],
    ["relay_instance", "locked", "what its relay does is not known"],
    ["dead_letter", "locked", "what its relay does is not known"],
  ])(
    "when another session has locked %s, the figures fail and name it, and not the outbox table",
    async (table, trouble, relay) => {
      const locker = await connect();
      await locker.query(`LOCK TABLES ${own(table)} WRITE`);
      const locked = `root (pid ${locker.threadId}) has locked the table ${own(table)}`;
      const refusal = await figures().catch((error: unknown) => error);
      expect(refusal).toMatchObject({ code: "unavailable", message: expect.stringContaining(`${relay}: ${locked}.`) });
      expect(troubleOf(refusal)).toBe(trouble);
      await expect(figures()).rejects.toThrow(`\`KILL ${locker.threadId}\` ends it`);
      await locker.query("UNLOCK TABLES");
      expect(await figures()).toMatchObject({ tableLocked: false });
    },
  );

  test("when a migration of another program queues for one of them, the reader is named for which it waits", async () => {
    const [reader, migration] = [await connect(), await connect()];
    await reader.query(`BEGIN; SELECT COUNT(*) FROM ${own("claim")}`);
    const altering = migration
      .query(`SET lock_wait_timeout = 60; ALTER TABLE ${own("claim")} COMMENT = 'x'`)
      .catch(() => undefined);
    const words = `root (pid ${migration.threadId}) waits for a lock on the table ${own("claim")} and all others wait behind it, because root (pid ${reader.threadId}) has a transaction open`;
    await waitFor(
      () =>
        figures().then(
          () => false,
          (error: Error) => error.message.includes(words),
        ),
      {
        message: "the figures name both",
      },
    );
    await reader.query("ROLLBACK");
    await altering;
    expect(await figures()).toMatchObject({ tableLocked: false });
  });

  test("when the outbox table is locked and none of them, the figures say that", async () => {
    const locker = await connect();
    await locker.query("LOCK TABLES events WRITE");
    expect(await figures()).toMatchObject({ tableLocked: true });
    await locker.query("UNLOCK TABLES");
  });

  test.each([
    ["LOCK TABLES %s READ", "has locked the table %s", "UNLOCK TABLES"],
    ["BEGIN; SELECT * FROM %s FOR UPDATE", "has locked rows of the table %s", "ROLLBACK"],
  ])("by %s, they keep a relay from saying that it is alive: that is the reason", async (statement, words, release) => {
    const locker = await connect();
    await locker.query(statement.replace("%s", own("relay_instance")));
    const said = { tried: false, leased: false };
    expect(await readWhyReadOnly(pools.writes(), "orders")).toMatchObject({
      ...said,
      reason: `root (pid ${locker.threadId}) ${words.replace("%s", own("relay_instance"))}`,
      remedy: expect.stringContaining(`\`KILL ${locker.threadId}\``),
    });
    // A lease that is renewed: the relay continues without heartbeats.
    const lease = `INSERT INTO ${own("lease")} (outbox, \`partition\`, owner, epoch, until) VALUES ('orders', 0, 'a', 1, UTC_TIMESTAMP(6) + INTERVAL 1 HOUR)`;
    const other = await connect();
    await other.query(lease);
    expect(await readWhyReadOnly(pools.writes(), "orders")).toMatchObject({ ...said, leased: true });
    await other.query(`DELETE FROM ${own("lease")}`);
    await locker.query(release);
    expect(await readWhyReadOnly(pools.writes(), "orders")).toBeNull();
  });
});
