import { describe, expect, onTestFinished, test } from "vitest";
import { needPgBouncer, startPgBouncer } from "#tests/pgbouncer.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createPool } from "../connection/pool.ts";
import { readWhyReadOnly } from "./read-why-read-only.ts";

const database = testDatabase("migrated");

async function why() {
  const options = { url: database().url, applicationName: "test", readOnly: false, max: 1, statementTimeoutMs: 5000 };
  const pool = createPool(options);
  return readWhyReadOnly(pool, "orders").finally(() => pool.end());
}

test("a heartbeat that the server refuses is named in its words once the relay is silent, and the try leaves no trace", async () => {
  const { pool } = database();
  const beat = (age: string) =>
    pool.query(
      `INSERT INTO outbox_console.relay_instance (outbox, id, host, pid, version, state, source, sink, latency, heartbeat_at)
       VALUES ('orders', 'a', 'shop-1', 1, '1', 'owner', 'polling', '{}', '{}', clock_timestamp() - $1::interval)
       ON CONFLICT (outbox, id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at`,
      [age],
    );
  const full = `RAISE EXCEPTION 'could not extend file "base/5/16405": No space left on device' USING ERRCODE = 'disk_full'`;
  await beat("1 minute");
  const rows = () => pool.query("SELECT r.*, r.xmin FROM outbox_console.relay_instance r");
  const before = await rows();
  expect(await why()).toBeNull();
  expect((await rows()).rows).toEqual(before.rows);
  await pool.query(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${full}; END $$;
    CREATE TRIGGER full_disk BEFORE UPDATE ON outbox_console.relay_instance FOR EACH ROW EXECUTE FUNCTION full_disk()`);
  expect(await why()).toEqual({
    reason: 'could not extend file "base/5/16405": No space left on device',
    tried: true,
    leased: false,
    everywhere: true,
  });
  await pool.query("DROP TRIGGER full_disk ON outbox_console.relay_instance");
  await beat("0");
  await pool.query(
    `CREATE TRIGGER full_disk BEFORE UPDATE ON outbox_console.relay_instance FOR EACH ROW EXECUTE FUNCTION full_disk()`,
  );
  expect(await why(), "nothing is tried in place of a relay that is heard").toBeNull();
});

test("a session that locks our own table is named; a row that is locked is no reason", async () => {
  const { pool } = database();
  await pool.query("DROP FUNCTION IF EXISTS full_disk CASCADE");
  await pool.query("UPDATE outbox_console.relay_instance SET heartbeat_at = clock_timestamp() - interval '1 minute'");
  const other = await pool.connect();
  onTestFinished(() => other.release());
  await other.query("BEGIN; SELECT FROM outbox_console.relay_instance FOR UPDATE");
  expect(await why()).toBeNull();
  await other.query("LOCK TABLE outbox_console.relay_instance IN SHARE MODE");
  expect(await why()).toMatchObject({
    everywhere: false,
    reason: expect.stringMatching(/^.+ \(pid \d+\) has locked the table outbox_console\.relay_instance$/),
    tried: true,
  });
  await other.query("ROLLBACK");
});

test("a prepared transaction that locks our own table is named", async () => {
  const { pool } = database();
  await pool.query("BEGIN; LOCK TABLE outbox_console.lease IN SHARE MODE; PREPARE TRANSACTION 'own-1'");
  onTestFinished(async () => void (await pool.query("ROLLBACK PREPARED 'own-1'")));
  expect(await why()).toMatchObject({
    reason: "the prepared transaction own-1 has locked the table outbox_console.lease",
    tried: true,
  });
});

test("says that sessions are read-only by default, wherever that is set, and nothing of a database that takes writes", async () => {
  expect(await why()).toBeNull();
  const { pool, name } = database();
  onTestFinished(async () => void (await pool.query(`ALTER DATABASE "${name}" RESET default_transaction_read_only`)));
  await pool.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);
  expect(await why()).toEqual({
    reason: "its sessions are read-only by default",
    tried: false,
    leased: false,
    everywhere: true,
  });
});

test("a session that is read-only by default says nothing of those that come after it", async () => {
  const { pool, name, url } = database();
  const writes = createPool({ url, applicationName: "test", readOnly: false, max: 1, statementTimeoutMs: 5000 });
  onTestFinished(() => writes.end());
  await pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`);
  onTestFinished(async () => void (await pool.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`)));
  expect(await readWhyReadOnly(writes, "orders")).toMatchObject({ reason: "its sessions are read-only by default" });
  await pool.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`);
  expect(await readWhyReadOnly(writes, "orders")).toBeNull();
});

test("a server that lets nobody in is named by a new connection while the open ones still work", async () => {
  const { pool, url } = database();
  await pool.query("CREATE ROLE full_house LOGIN PASSWORD 'one' CONNECTION LIMIT 1");
  onTestFinished(async () => void (await pool.query("DROP ROLE full_house")));
  const account = Object.assign(new URL(url), { username: "full_house", password: "one" }).toString();
  const options = { url: account, applicationName: "test", readOnly: false, max: 1, statementTimeoutMs: 5000 };
  const writes = createPool(options);
  onTestFinished(() => writes.end());
  await writes.query("SELECT 1");
  expect(await readWhyReadOnly(writes, "orders")).toEqual({
    reason: "no connection is left for this user",
    remedy: expect.stringMatching(
      /^The database of outbox orders has no connection left for this user \(CONNECTION LIMIT\)\./,
    ),
    refusesConnections: true,
    tried: true,
    leased: false,
    everywhere: true,
  });
  await pool.query("ALTER ROLE full_house PASSWORD 'two' CONNECTION LIMIT 9");
  const newReason = async () =>
    (await readWhyReadOnly(writes, "orders"))?.reason !== "no connection is left for this user";
  await waitFor(newReason, { message: "the next attempt was made" });
  expect(await readWhyReadOnly(writes, "orders")).toMatchObject({
    reason: "it does not let this user in",
    remedy: expect.stringMatching(/^The server of the database of outbox orders refuses the user name or password\./),
  });
});

describe("a pooler", () => {
  needPgBouncer();

  test("that takes no more clients is named", async () => {
    const pooler = await startPgBouncer(database().url, "transaction", { max_client_conn: 1 });
    onTestFinished(() => pooler.stop());
    const url = `${pooler.url}?pgbouncer=true`;
    const writes = createPool({ url, applicationName: "test", readOnly: false, max: 1, statementTimeoutMs: 5000 });
    onTestFinished(() => writes.end());
    await writes.query("SELECT 1");
    expect(await readWhyReadOnly(writes, "orders")).toMatchObject({
      reason: "the pooler has no connection left",
      remedy: expect.stringMatching(/^The pooler in front of the database of outbox orders takes no more clients/),
      refusesConnections: true,
    });
  });
});
