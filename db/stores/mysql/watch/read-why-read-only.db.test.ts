import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { createStorePools, type StorePools } from "../connection/store-pools.ts";
import { readWhyReadOnly } from "./read-why-read-only.ts";

/** That a replica is told from it is an incident: the setting is the whole server's. */
describe.each(["mysql", "mariadb"] as const)("a server of %s that takes writes", (flavor) => {
  const database = testMysqlDatabase(flavor);
  let pools: StorePools;
  beforeAll(() => {
    const { url, own } = database();
    pools = createStorePools({ url, own, applicationName: "outbox-console test" });
  });
  afterAll(() => pools.close());

  test("is not said to refuse them", async () => {
    expect(await readWhyReadOnly(pools.writes())).toBeNull();
  });
});
