import { expect, test } from "vitest";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { testMysqlDatabase } from "#tests/mysql.ts";
import type { Session } from "../connection/session.ts";
import { createStorePools } from "../connection/store-pools.ts";
import { withReadTransaction } from "../connection/transaction.ts";
import { StaleReadingError } from "../diagnosis-facts/sessions/innodb-transactions.ts";
import { readStorage } from "./read-storage.ts";

const database = testMysqlDatabase("mariadb");

test("sizes are told also while the server gives only an old list of its transactions", async () => {
  const { url, own, name, query } = database();
  await query("CREATE TABLE events (id bigint PRIMARY KEY, payload text, sent tinyint(1) NOT NULL)");
  const pools = createStorePools({ url, own, applicationName: "outbox-console test" });
  const reading = await withReadTransaction(pools.reads(), 2000, (session) => {
    // A session that is missing from the list, as from every list that is older than the session.
    return readStorage(withId(session, -1), refOf(name));
  });
  await pools.close();
  expect(reading.size.tableBytes).toBeGreaterThan(0);
  expect(reading.indexes).toHaveLength(1);
  expect(reading.holders).toEqual([]);
  expect(reading.unsaid).toContain(new StaleReadingError().message);
});

function withId(session: Session, id: number): Session {
  return {
    ...{ id, db: session.db, own: session.own, server: session.server },
    rows: (...statement) => session.rows(...statement),
    run: (...statement) => session.run(...statement),
    script: (...statements) => session.script(...statements),
  };
}

function refOf(schema: string): OutboxRef {
  const column = (name: string, type: string): MappedColumn => ({ name, type, nullable: false, from: "config" });
  return {
    name: "orders",
    mapping: {
      table: { schema, name: "events" },
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
  };
}
