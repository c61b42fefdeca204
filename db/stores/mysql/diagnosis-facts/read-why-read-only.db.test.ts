import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { createStorePools, type StorePools } from "../connection/store-pools.ts";
import { withSession } from "../connection/transaction.ts";
import { readWhyReadOnly } from "./read-why-read-only.ts";

/** A replica is tested as an incident, because the setting belongs to the whole server. */
describe.each(["mysql", "mariadb"] as const)("a server of %s that takes writes", (flavor) => {
  const database = testMysqlDatabase(flavor);
  let pools: StorePools;
  beforeAll(() => {
    const { url, own } = database();
    pools = createStorePools({ url, own, applicationName: "outbox-console test" });
  });
  afterAll(() => pools.close());

  test("is not said to refuse them", async () => {
    expect(await readWhyReadOnly(pools.writes(), "orders")).toBeNull();
  });

  test("that lets nobody in is named by a new connection while the open ones still work", async () => {
    const { query, url, own } = database();
    await query("CREATE USER full_house IDENTIFIED BY 'one' WITH MAX_USER_CONNECTIONS 1");
    onTestFinished(async () => void (await query("DROP USER full_house")));
    const account = Object.assign(new URL(url), { username: "full_house", password: "one", pathname: "/" }).toString();
    const limited = createStorePools({ url: account, own, applicationName: "outbox-console test" });
    onTestFinished(() => limited.close());
    await withSession(limited.writes(), (session) => session.rows(sql`SELECT 1`));
    expect(await readWhyReadOnly(limited.writes(), "orders")).toEqual({
      reason: "no connection is left for this user",
      remedy: expect.stringMatching(/^The database of outbox orders has no connection left for this user/),
      refusesConnections: true,
      tried: true,
      leased: false,
      everywhere: true,
    });
    await query("ALTER USER full_house IDENTIFIED BY 'two' WITH MAX_USER_CONNECTIONS 9");
    const newReason = async () =>
      (await readWhyReadOnly(limited.writes(), "orders"))?.reason !== "no connection is left for this user";
    await waitFor(newReason, { message: "the next attempt was made" });
    expect(await readWhyReadOnly(limited.writes(), "orders")).toMatchObject({
      reason: "it does not let this user in",
      remedy: expect.stringMatching(/^The server of the database of outbox orders refuses the user name or password/),
    });
  });

  test("is said to refuse them in its words where it refuses the heartbeat of a silent relay", async () => {
    const { query, own: place } = database();
    const own = place.database;
    const silent = () =>
      query(`INSERT INTO ${own}.relay_instance (id, outbox, host, pid, version, state, source, sink, latency, heartbeat_at, routes)
        VALUES ('a', 'orders', 'shop-1', 1, '1', 'owner', 'polling', '{}', '[]', UTC_TIMESTAMP(6) - INTERVAL 1 MINUTE, '[]')`);
    await silent();
    expect(await readWhyReadOnly(pools.writes(), "orders")).toBeNull();
    await query(`CREATE TRIGGER ${own}.full_disk BEFORE UPDATE ON ${own}.relay_instance FOR EACH ROW
      SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114, MESSAGE_TEXT = 'The table is full'`);
    expect(await readWhyReadOnly(pools.writes(), "orders")).toEqual({
      reason: "The table is full",
      tried: true,
      leased: false,
      everywhere: true,
    });
  });
});
