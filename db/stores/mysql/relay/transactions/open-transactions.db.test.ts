import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import type { Horizon } from "#db/stores/port/relay/claim.ts";
import { onServer } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { READ_ALL } from "../box.fixture.ts";
import { relayBox } from "../relay-box.fixture.ts";
import { openStoreRelays } from "../store-relays.ts";

describe.each(["mysql", "mariadb"] as const)("open transactions of %s", (flavor) => {
  const box = relayBox(flavor);
  let user = "";

  afterEach(async () => {
    if (user !== "") await onServer(box.database.url, (server) => server.query(`DROP USER '${user}'@'%'`));
    user = "";
  });

  /** A user with all privileges on the two databases, who cannot see other users' transactions. */
  const createUser = async () => {
    user = `u_${randomBytes(4).toString("hex")}`;
    const { name, own, url } = box.database;
    await box.database.query(`CREATE USER '${user}'@'%' IDENTIFIED BY 'secret'`);
    for (const database of [name, own.database])
      await box.database.query(`GRANT ALL ON ${database}.* TO '${user}'@'%'`);
    return Object.assign(new URL(url), { username: user, password: "secret" }).toString();
  };

  test("are left to a window of time while the user may not see them, and the order is called best effort then", async () => {
    const relays = openStoreRelays({ url: await createUser(), own: box.database.own, refusedMs: 100 });
    const table = box.open({ relayId: "other", relays });
    await box.table.releaseLease(box.lease);
    const lease = await box.take(table, "other");
    await box.insert(3);
    expect(table.ordering).toEqual({ kind: "aggregate", reason: null });
    const read = async (): Promise<Horizon> => {
      const { horizon } = await table.claimNew({
        ...{ lease, after: null, limit: 10, excludeIds: [], excludeAggregates: [], maxBytes: 1000, wantLast: false },
      });
      return horizon;
    };
    const earlier = await read();
    await expect
      .poll(() => table.ordering)
      .toMatchObject({ kind: "best_effort", reason: expect.stringContaining("PROCESS") });
    expect((await read()).hasPassed(earlier)).toBe(false);

    await onServer(box.database.url, (server) => server.query(`GRANT PROCESS ON *.* TO '${user}'@'%'`));
    await waitFor(async () => (await read()) && table.ordering.reason === null, { message: "the grant is used" });
    await waitFor(async () => (await read()).hasPassed(earlier), { message: "lists are read again" });
  });

  test("that write to the table hold the mark until they end, as fresh lists show", async () => {
    const relays = openStoreRelays({ url: box.database.url, own: box.database.own });
    await box.table.releaseLease(box.lease);
    const table = box.open({ relays });
    const lease = await box.take(table, "me");
    const read = async () => (await table.claimNew({ ...READ_ALL, lease, wantWriters: true })).horizon;
    /** A list of which both the marker of earlier reads and the writers of the next sample are known. */
    const fresh = () =>
      waitFor(async () => (await relays.samples.sample().ended) !== null, { message: "the server lists transactions" });
    const writer = await box.database.connect();
    await writer.query("START TRANSACTION");
    await writer.query("INSERT INTO box (aggregate_id) VALUES ('a')");
    const earlier = await read();
    for (let round = 0; round < 3; round += 1) {
      await fresh();
      expect((await read()).hasPassed(earlier)).toBe(false);
    }
    await writer.query("COMMIT");
    await expect.poll(async () => (await read()).hasPassed(earlier)).toBe(true);
    await writer.end();
  });

  test("that do not write to the table hold nothing back, where the server tells which do", async () => {
    const writer = await box.database.connect();
    await writer.query(`CREATE TABLE other (id int PRIMARY KEY)`);
    await writer.query("START TRANSACTION");
    await writer.query("INSERT INTO other VALUES (1)");
    const read = async (wantWriters: boolean) => (await box.claim({ wantWriters })).horizon;
    const earlier = await read(false);
    await expect.poll(async () => (await read(false)).hasPassed(earlier), { timeout: 400, interval: 100 }).toBe(false);
    const told = await box.number("SELECT @@performance_schema");
    if (told === 1) await expect.poll(async () => (await read(true)).hasPassed(earlier)).toBe(true);
    await writer.query("INSERT INTO box (aggregate_id) VALUES ('a')");
    const later = await read(true);
    expect((await read(true)).hasPassed(later)).toBe(false);
    await writer.query("COMMIT");
    await expect.poll(async () => (await read(true)).hasPassed(later)).toBe(true);
    await writer.end();
  });
});
