import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MYSQL_OUTBOX_DDL } from "#relay/testing/mysql-harness.fixture.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { type ConnectStandIn, startConnectStandIn } from "#tests/connect-stand-in.ts";
import { borrowMysqlDatabase, type MysqlTestDatabase } from "#tests/mysql.ts";
import { explainMessage } from "../messages/explain-message.ts";
import { examineOutbox, takeSnapshot } from "../outboxes/take-snapshot.ts";
import { openRuntime, type Runtime } from "../runtime.ts";
import { getConnector } from "./get-connector.ts";
import { planOfOutbox } from "./plan-of-outbox.ts";

const outbox = "orders";
const CLASSES = { mysql: "mysql.MySqlConnector", mariadb: "mariadb.MariaDbConnector" };
/** As Debezium stores it within a transaction. */
const GTIDS = { mysql: "7f3c4d2a-0000-11ef-8000-000000000000:1-47", mariadb: "0-2-47" };

describe.each(["mysql", "mariadb"] as const)("an outbox that Debezium publishes from %s", (flavor) => {
  let database: MysqlTestDatabase;
  let connect: ConnectStandIn;
  let runtime: Runtime;
  beforeEach(async () => {
    [database, connect] = await Promise.all([borrowMysqlDatabase(flavor), startConnectStandIn()]);
    await database.query(MYSQL_OUTBOX_DDL);
    await database.query(`INSERT INTO outbox_events (id, aggregate_type, aggregate_id, event_type, payload)
      VALUES ('a', 'order', '1', 'x', '{}'), ('b', 'order', '1', 'x', '{}')`);
    const offset = {
      ...{ server_id: 2, file: "binlog.000001", pos: 25971, gtids: GTIDS[flavor] },
      ...{ event: 108, row: 24, ts_sec: 1_795_981_880 },
    };
    Object.assign(connect.connector ?? {}, {
      config: { "connector.class": `io.debezium.connector.${CLASSES[flavor]}` },
      offsets: [{ partition: { server: "orders-connector" }, offset }],
    });
    const relay = `{ source: debezium, connect: "${connect.url}", connector: orders-connector }`;
    const yaml = `
stores: { shop: { kind: mysql, url: "${database.url.replace(/^mariadb:/, "mysql:")}", ownDatabase: ${database.own.database} } }
outboxes: { orders: { store: shop, table: outbox_events, mode: operate, relay: ${relay} } }
`;
    runtime = openRuntime({ config: parseConfig(yaml, {}, "test"), applicationName: "test", env: {} });
  });
  afterEach(async () => {
    await runtime.close();
    await Promise.all([connect.close(), database.drop()]);
  });

  test("shows the connector's state and place, and says of no row that it waits", async () => {
    expect(await getConnector({ runtime, outbox })).toMatchObject({
      state: "RUNNING",
      offset: {
        ...{ position: "binlog.000001:25971", commit: null, transaction: GTIDS[flavor] },
        at: "2026-11-29T19:51:20.000Z",
      },
      slot: null,
    });
    const { counts, verdict } = await takeSnapshot({ runtime, outbox });
    expect(counts).toMatchObject({ pending: { precision: "unknown" }, unknown: { value: 2 } });
    expect(verdict.causes).toEqual([]);
    expect((await explainMessage({ runtime, outbox, id: "a" })).summary).toContain(
      "the offset of the connector orders-connector",
    );
    const unread = async () => (await examineOutbox({ runtime, outbox })).unread;
    await expect.poll(unread).not.toContain("connector");
  });

  test("of a paused one it says that the log is removed by age, and nothing of a slot", async () => {
    Object.assign(connect.connector ?? {}, { state: "PAUSED", tasks: [{ id: 0, state: "PAUSED" }] });
    const [cause] = (await examineOutbox({ runtime, outbox })).causes;
    expect(cause).toMatchObject({ rule: "connector", word: "paused", severity: "warn" });
    expect(JSON.stringify(cause)).toContain("removes its log by age");
    expect(JSON.stringify(cause)).not.toMatch(/slot|disk/);
  });

  test("prints the configuration of the server's own connector, also behind a mysql:// URL", async () => {
    const { config, notes } = await planOfOutbox({ runtime, outbox });
    expect(config["connector.class"]).toBe(`io.debezium.connector.${CLASSES[flavor]}`);
    const [, statement = ""] = /every replica .*: `(.*)`/.exec(notes.join("\n")) ?? [];
    // MySQL 8.0.15 has only the older name of the statement.
    if (flavor === "mariadb") await database.query(statement);
  });
});
