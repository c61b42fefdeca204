import type { PoolClient } from "pg";
import { beforeAll, describe, expect, test } from "vitest";
import { MAPPING, makeTable, TABLE } from "#tests/outbox-table.ts";
import { testDatabase } from "#tests/postgres.ts";
import { tableXminSql } from "./writers.ts";

const INSERT = `INSERT INTO ${TABLE} (aggregate_type, aggregate_id, event_type, payload) VALUES ('order', '1', 'x', '{}')`;

describe("since when writers of the table are at work", () => {
  const database = testDatabase();
  beforeAll(async () => {
    const client = await database().pool.connect();
    await makeTable(client as never);
    client.release();
  });

  const during = async (begin: (other: PoolClient) => Promise<unknown>, mapping = MAPPING) => {
    const other = await database().pool.connect();
    try {
      await other.query("BEGIN");
      const { rows } = await other.query("SELECT pg_current_xact_id()::text AS xid");
      await begin(other);
      // Later transactions, so that the other one is an old one.
      for (let count = 0; count < 3; count += 1) await database().pool.query(INSERT);
      const found = await database().pool.query(`SELECT ${tableXminSql(mapping)} AS xmin`);
      return { xid: BigInt(rows[0].xid), xmin: BigInt(found.rows[0].xmin) };
    } finally {
      await other.query("ROLLBACK");
      other.release();
    }
  };

  test("a transaction that has not touched it does not count, however old", async () => {
    const { xid, xmin } = await during((other) => other.query(`SELECT count(*) FROM ${TABLE}`));
    expect(xmin).toBeGreaterThan(xid + 2n);
  });

  test("one that has inserted counts until it ends, in a savepoint too", async () => {
    const plain = await during((other) => other.query(INSERT));
    expect(plain.xmin).toBe(plain.xid);
    const nested = await during((other) => other.query(`SAVEPOINT s; ${INSERT}; RELEASE s`));
    expect(nested.xmin).toBe(nested.xid);
  });

  test("without a sequence every transaction counts: its time began with it", async () => {
    const { order: _, ...columns } = MAPPING.columns;
    const { xid, xmin } = await during((other) => other.query("SELECT 1"), { ...MAPPING, columns });
    // Transactions of other databases count too.
    expect(xmin).toBeLessThanOrEqual(xid);
  });
});
