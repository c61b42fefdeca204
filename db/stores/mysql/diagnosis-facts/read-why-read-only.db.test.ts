import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { createStorePools, type StorePools } from "../connection/store-pools.ts";
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
