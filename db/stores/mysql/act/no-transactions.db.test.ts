import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { flavorsFor, testMysqlDatabase } from "#tests/mysql.ts";
import { openMysqlStore } from "../open-mysql-store.ts";
import { openForeignBox } from "../read/foreign-box.fixture.ts";
import { CREATE_BOX, mapBox, READ_ALL } from "../relay/box.fixture.ts";

const SETTINGS = { ordering: "aggregate", maxAttempts: 3, onDead: "pass", relayId: "r", sinkName: "s" } as const;

describe.each(flavorsFor("mysql"))("a table without transactions on %s", (flavor) => {
  const database = testMysqlDatabase(flavor);

  test("is shown, and neither acted on nor published, and it says why", async () => {
    const { name, url, own, query } = database();
    await query(`${CREATE_BOX} ENGINE = MyISAM`);
    await query("INSERT INTO box (aggregate_id, payload) VALUES ('a', '{}')");
    const store = openMysqlStore({ name: "shop", url, own, applicationName: "test" });
    const outbox = store.outbox({
      name: "box",
      mapping: mapBox(name),
      storeSide: true,
      maxAttempts: 3,
      accepted: undefined,
      estimatedRows: 1,
    });
    const relay = outbox.openRelay({ ...SETTINGS, fields: {} });
    try {
      const version = (await outbox.read.message("1"))?.row.version ?? "";
      expect(version).not.toBe("");
      const verb = { id: "1", version, actor: { name: "ada", role: "admin" }, reason: "x", dryRun: false } as const;
      for (const action of ["dead-letter", "retry", "archive"] as const) {
        const acting = outbox.act.perform({ ...verb, action, operationId: randomUUID() }, 0);
        await expect(acting, action).rejects.toMatchObject({
          code: "wrong_state",
          message: expect.stringContaining("MyISAM, which has no transactions"),
        });
      }
      await expect(relay.acquireLease({ owner: "me", leaseMs: 1000 })).rejects.toMatchObject({ code: "wrong_state" });
      expect(await query("SELECT COUNT(*) AS rows_left FROM box WHERE published_at IS NULL")).toEqual([
        { rows_left: "1" },
      ]);
    } finally {
      await relay.close();
      await store.close();
    }
  });

  test("that loses them while a relay publishes is claimed from no more", async () => {
    const { query } = database();
    await query("DROP TABLE IF EXISTS box");
    await query(CREATE_BOX);
    await query("INSERT INTO box (aggregate_id, payload) VALUES ('a', '{}'), ('b', '{}')");
    const { store, outbox } = await openForeignBox(database(), {
      table: "box",
      roles: { id: "id", payload: "payload", aggregateId: "aggregate_id", publishedAt: "published_at" },
      lifecycle: (column) => ({ kind: "timestamp", column: column("published_at") }),
    });
    const relay = outbox.openRelay({ ...SETTINGS, fields: {} });
    try {
      const lease = await relay.acquireLease({ owner: "me", leaseMs: 60_000 });
      if (!lease) throw new Error("The lease is not free.");
      const claim = () => relay.claimNew({ ...READ_ALL, lease, limit: 1 });
      expect((await claim()).claim?.messages).toHaveLength(1);
      await query("ALTER TABLE box ENGINE = MyISAM");
      await expect(claim()).rejects.toMatchObject({
        message: expect.stringContaining("MyISAM, which has no transactions"),
      });
    } finally {
      await relay.close();
      await store.close();
    }
  });
});
