import { describe, expect, test } from "vitest";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { openPool } from "../connection/test-pool.fixture.ts";
import { withSession } from "../connection/transaction.ts";
import { deleteOldRestored } from "./delete-old-rows.ts";

describe.each(flavorsFor("mariadb"))("old records of restores on %s", (flavor) => {
  const database = testMysqlDatabase(flavor);

  test("stay until every reader of the log has passed them", async () => {
    const { own, query } = database();
    const place = "position = 'p', server = 's', incarnation = 1, file = 'f', `offset` = 4";
    const at = (days: number) => `UTC_TIMESTAMP(6) - INTERVAL ${days} DAY`;
    await query(
      `INSERT INTO ${own.database}.restored (outbox, message_id, at) VALUES ('orders', '1', ${at(40)});
       INSERT INTO ${own.database}.binlog_reader SET reader = 'fast', ${place}, read_to = ${at(0)};
       INSERT INTO ${own.database}.binlog_reader SET reader = 'slow', ${place}, read_to = ${at(50)}`,
    );
    const pool = openPool(database());
    const clean = () => withSession(pool, (session) => deleteOldRestored(session, 30, 10));
    expect(await clean()).toBe(0);
    await query(`UPDATE ${own.database}.binlog_reader SET read_to = ${at(35)} WHERE reader = 'slow'`);
    expect(await clean()).toBe(1);
  });
});
