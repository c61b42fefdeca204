import { beforeEach, describe, expect, test } from "vitest";
import { resolveFingerprint } from "#tests/factories/fingerprint.ts";
import { OUTBOX_EVENTS, OUTBOX_PARTITIONED } from "#tests/factories/layouts.ts";
import { testDatabase } from "#tests/postgres.ts";
import { mappingHoldsSql } from "./mapping-holds.ts";

const database = testDatabase("migrated");

beforeEach(async () => {
  await database().pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
});

describe.each([
  ["a table", OUTBOX_EVENTS, "outbox_events"],
  ["a partitioned table", OUTBOX_PARTITIONED, "outbox"],
])("%s that is the accepted one", (_, ddl, table) => {
  test("holds a lock, so that nobody changes it until the transaction ends, also when it was prepared before", async () => {
    const { pool } = database();
    await pool.query(ddl);
    const holds = `SELECT ${mappingHoldsSql(await resolveFingerprint(pool, table))} AS holds`;
    const client = await pool.connect();
    try {
      for (let turn = 0; turn < 8; turn += 1) {
        await client.query("BEGIN");
        const { rows } = await client.query({ name: `holds-${table}`, text: holds });
        expect(rows).toEqual([{ holds: true }]);
        const locks = await client.query(
          "SELECT mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation = $1::regclass",
          [table],
        );
        expect(locks.rows).toEqual([{ mode: "AccessShareLock" }]);
        await client.query("COMMIT");
      }
      await pool.query(`ALTER TABLE ${table} ADD note text`);
      expect((await client.query({ name: `holds-${table}`, text: holds })).rows).toEqual([{ holds: true }]);
      await pool.query(`ALTER TABLE ${table} RENAME payload TO body`);
      expect((await client.query({ name: `holds-${table}`, text: holds })).rows).toEqual([{ holds: false }]);
    } finally {
      client.release();
    }
  });

  test("rests on a unique index over its key: dropped, invalid or partial it does not hold", async () => {
    const { pool } = database();
    await pool.query(ddl);
    const accepted = await resolveFingerprint(pool, table);
    const holds = async () => (await pool.query(`SELECT ${mappingHoldsSql(accepted)} AS holds`)).rows[0].holds;
    const key = accepted.primaryKey.map(({ name }) => name).join(", ");
    const { rows } = await pool.query(
      "SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'p'",
      [table],
    );
    expect(await holds()).toBe(true);
    await pool.query(`ALTER TABLE ${table} DROP CONSTRAINT ${rows[0].conname}`);
    expect(await holds()).toBe(false);
    await pool.query(`CREATE UNIQUE INDEX part ON ${table} (${key}) WHERE payload IS NOT NULL`);
    await pool.query(`CREATE INDEX plain ON ${table} (${key})`);
    await pool.query(`CREATE UNIQUE INDEX wider ON ${table} (${key}, event_type)`);
    expect(await holds()).toBe(false);
    await pool.query(`CREATE UNIQUE INDEX again ON ${table} (${key}) INCLUDE (event_type)`);
    expect(await holds()).toBe(true);
    await pool.query("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'again'::regclass");
    expect(await holds()).toBe(false);
  });
});
