import { describe, expect, onTestFinished, test } from "vitest";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { createStorePools } from "../connection/store-pools.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { readOrderless } from "./read-orderless.ts";

describe.each(["mysql", "mariadb"] as const)("messages without a value in the order column on %s", (flavor) => {
  const database = testMysqlDatabase(flavor);
  const column = (name: string, type: string, more: Partial<MappedColumn> = {}): MappedColumn => ({
    ...{ name, type, nullable: false, from: "config" },
    ...more,
  });
  const time = (name: string, nullable: boolean) =>
    column(name, "datetime(6)", { nullable, time: { kind: "timestamp", zone: "UTC" } });

  async function readOf(order: MappedColumn) {
    const { url, own, name, query } = database();
    await query("DROP TABLE IF EXISTS outbox_events");
    await query(`CREATE TABLE outbox_events (id bigint AUTO_INCREMENT PRIMARY KEY, seq bigint, payload text,
      occurred_at datetime(6) NOT NULL, dispatched_at datetime(6), KEY (dispatched_at, seq))`);
    await query(
      "INSERT INTO outbox_events (seq, occurred_at, dispatched_at) VALUES (1, '2026-03-01', NULL), (2, '2026-03-02', UTC_TIMESTAMP(6))",
    );
    const pools = createStorePools({ url, own, applicationName: "outbox-console test" });
    onTestFinished(() => pools.close());
    const publishedAt = time("dispatched_at", true);
    const ref: OutboxRef = {
      name: "orders",
      mapping: {
        table: { schema: name, name: "outbox_events" },
        primaryKey: [column("id", "bigint")],
        columns: {
          ...{ id: column("id", "bigint"), payload: column("payload", "text"), order },
          ...{ createdAt: time("occurred_at", false), publishedAt },
        },
        lifecycle: { kind: "timestamp", column: publishedAt },
        ...{ deadAttempts: null, archiveTable: null, shape: "configured" },
      },
      ...{ storeSide: true, maxAttempts: null, estimatedRows: 2 },
    };
    return () => withReadTransaction(pools.reads(), 3000, (session) => readOrderless(session, ref));
  }

  test("are counted while they are unsent, with the oldest", async () => {
    const read = await readOf(column("seq", "bigint", { nullable: true }));
    expect(await read()).toEqual({ column: "seq", messages: 0, oldestAt: null, capped: false });
    await database().query(
      "INSERT INTO outbox_events (occurred_at, dispatched_at) VALUES ('2026-03-04', NULL), ('2026-03-03', NULL), ('2026-02-01', UTC_TIMESTAMP(6))",
    );
    expect(await read()).toEqual({
      ...{ column: "seq", messages: 2, capped: false },
      oldestAt: "2026-03-03T00:00:00.000000Z",
    });
  });

  test("are not looked for where the column always has a value", async () => {
    const read = await readOf(column("seq", "bigint"));
    expect(await read()).toBeNull();
  });
});
