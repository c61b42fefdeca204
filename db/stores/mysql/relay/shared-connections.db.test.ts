import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { flavorsFor } from "#tests/mysql.ts";
import { READ_ALL } from "./box.fixture.ts";
import { relayBox } from "./relay-box.fixture.ts";
import { openStoreRelays } from "./store-relays.ts";

describe.each(flavorsFor("mysql"))("relays of one store on %s", (flavor) => {
  const box = relayBox(flavor);

  test("claim at once although all connections are in use, because none holds one while it waits for another", async () => {
    const { url, own } = box.database;
    const relays = openStoreRelays({ url, own, all: 4 });
    const opened = await Promise.all(
      ["one", "two", "three"].map(async (outbox) => {
        const table = box.open({ outbox, relays });
        return { table, lease: await box.take(table, outbox) };
      }),
    );
    await box.insert(3);
    const claims = Promise.all(opened.map(({ table, lease }) => table.claimNew({ ...READ_ALL, lease })));
    // A relay that waits for a connection in vain gives up after 10 s.
    const claimed = await Promise.race([claims, delay(7000, null, { ref: false })]);
    expect(claimed?.map(({ claim }) => claim?.messages.length)).toEqual([3, 3, 3]);
    const skipped = Promise.all(opened.map(({ table }) => table.skipDeadRows(null)));
    expect(await Promise.race([skipped.then(() => "read"), delay(7000, "waits", { ref: false })])).toBe("read");
  });
});
