import { describe, expect, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { AcquireTimeoutError } from "./database-error.ts";
import type { Pool } from "./pool.ts";
import { createStorePools } from "./store-pools.ts";
import { openPool } from "./test-pool.fixture.ts";
import { withSession } from "./transaction.ts";

describe.each(["mysql", "mariadb"] as const)("a pool of connections to %s", (flavor) => {
  const database = testMysqlDatabase(flavor, "empty");

  const connections = async () => {
    const rows = await database().query(
      "SELECT count(*) AS n FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()",
    );
    return Number(rows[0]?.n);
  };

  test("opens as many as are needed at once, uses them again, and no more than it may", async () => {
    const pool = openPool(database(), { max: 3 });
    const nap = () => withSession(pool, (session) => session.rows("SELECT CONNECTION_ID(), SLEEP(0.05)"));
    const first = await Promise.all(Array.from({ length: 10 }, nap));
    expect(new Set(first.map((rows) => rows[0]?.[0])).size).toBe(3);
    const [again] = await nap();
    expect(first.map((rows) => rows[0]?.[0])).toContain(again?.[0]);
    await pool.end();
    await waitFor(async () => (await connections()) === 0, { message: "all are closed" });
  });

  test("says that all are busy after a while, and serves those who waited in turn", async () => {
    const pool = openPool(database(), { max: 1 });
    const busy = await pool.connect();
    await expect(pool.connect()).rejects.toThrow(AcquireTimeoutError);
    const order: number[] = [];
    const waiting = [1, 2].map((n) =>
      withSession(pool, async (session) => {
        order.push(n);
        return session.rows("SELECT 1");
      }),
    );
    pool.release(busy, true);
    await Promise.all(waiting);
    expect(order).toEqual([1, 2]);
  });

  test("replaces a connection that is older than it may be, once it is given back", async () => {
    const ids = async (pool: Pool) => {
      const idOf = () => withSession(pool, async (session) => session.id);
      return [await idOf(), await idOf()];
    };
    const [first, second] = await ids(openPool(database(), { max: 1, lifetimeMs: -1 }));
    expect(second).not.toBe(first);
    const [kept, again] = await ids(openPool(database(), { max: 1, lifetimeMs: 60_000 }));
    expect(again).toBe(kept);
  });

  test("replaces a connection that was killed, busy or idle", async () => {
    const pool = openPool(database(), { max: 1 });
    const idOf = () => withSession(pool, async (session) => session.id);
    const id = await idOf();
    await database().query(`KILL ${id}`);
    await waitFor(async () => (await connections()) === 0, { message: "it is gone" });
    const next = await waitFor(idOf, { message: "there is another" });
    expect(next).not.toBe(id);
    const killed = withSession(pool, async (session) => {
      await database().query(`KILL ${session.id}`);
      await waitFor(async () => (await connections()) === 0, { message: "it is gone" });
      return session.rows("SELECT 1");
    });
    await expect(killed).rejects.toThrow();
    expect(await idOf()).not.toBe(next);
  });

  test("closes what is idle before the server does", async () => {
    const pool = openPool(database(), { idleLimitMs: 5500 });
    await withSession(pool, (session) => session.rows("SELECT 1"));
    await waitFor(async () => (await connections()) === 0, { message: "the idle one is closed" });
  });

  test("ends while a connection is in use, once that is given back", async () => {
    const pool = openPool(database());
    const link = await pool.connect();
    let ended = false;
    const ending = pool.end().then(() => {
      ended = true;
    });
    expect((await link.send("SELECT 1"))[0]?.rows).toEqual([["1"]]);
    expect(ended).toBe(false);
    pool.release(link);
    await ending;
    await expect(pool.connect()).rejects.toThrow("closed");
  });

  test.each(["reads", "browse", "pings"] as const)(
    "sessions of %s refuse to write, and say who they are",
    async (kind) => {
      const { url, own } = database();
      const pools = createStorePools({ url, own, applicationName: "outbox-console test" });
      const link = await pools[kind]().connect();
      await expect(link.send("CREATE TABLE ours (id int)")).rejects.toMatchObject({ errno: 1792 });
      const [attributes] = await link.send(
        "SELECT attr_value FROM performance_schema.session_connect_attrs WHERE attr_name = 'program_name' AND processlist_id = CONNECTION_ID()",
      );
      if (flavor === "mysql") expect(attributes?.rows).toEqual([["outbox-console test"]]);
      pools[kind]().release(link);
      await pools.close();
    },
  );
});
