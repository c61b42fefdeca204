import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { targetedRequestSchema } from "#contracts/message/operations.ts";
import { parseConfig } from "#services/config/load-config.ts";
import { getMessage } from "#services/messages/get-message.ts";
import { performOperation } from "#services/operations/perform-operation.ts";
import { missingIndexesOf } from "#services/outboxes/missing-indexes.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { ADMIN, contextOf } from "#tests/factories/runtime.ts";
import { startHttpReceiver } from "#tests/http-receiver.ts";
import { createMysqlDatabase, flavorsFor, type MysqlTestDatabase } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { startRelays } from "../../start-relays.ts";

const DDL = `CREATE TABLE box (id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, aggregate_id varchar(50), event_type varchar(50), payload varchar(300),
  created_at datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), send_flag varchar(10), KEY box_open (send_flag, id))`;

const closes: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close();
});

function open(database: MysqlTestDatabase, sinkUrl: string, lists: string): Runtime {
  const yaml = `
stores: { shop: { kind: mysql, url: "${database.url}", ownDatabase: ${database.own.database} } }
outboxes:
  orders: { store: shop, table: box, mode: relay, columns: { status: send_flag }, lifecycle: { kind: status, ${lists} },
    relay: { sink: hook, retry: { initial: 100ms, max: 500ms } } }
sinks: { hook: { kind: http, url: "${sinkUrl}" } }`;
  const runtime = openRuntime({ config: parseConfig(yaml, {}, "test"), applicationName: "relay test", env: {} });
  closes.push(() => runtime.close());
  return runtime;
}

async function createBox(flavor: "mysql" | "mariadb") {
  const database = await createMysqlDatabase(flavor);
  closes.push(() => database.dropByForce());
  await database.query(DDL);
  return database;
}

describe.each(flavorsFor("mysql"))("rows without a status in %s", (flavor) => {
  test("are published in order among those of a word, and a retry of a dead one makes it such a row", async () => {
    const database = await createBox(flavor);
    const receiver = await startHttpReceiver();
    closes.push(() => receiver.close());
    receiver.answerWith(({ body }) =>
      body.toString("utf8") === "bad" ? { status: 400, body: "no" } : { status: 204 },
    );
    await database.query(
      "INSERT INTO box (aggregate_id, event_type, payload, send_flag) VALUES ('a', 't', 'one', NULL), ('a', 't', 'bad', NULL), ('a', 't', 'three', 'AGAIN'), ('a', 't', 'four', NULL), ('b', 't', 'odd', 'X')",
    );
    const runtime = open(
      database,
      `${receiver.url}/events`,
      "pending: [null, AGAIN], inFlight: [], failed: [], published: [S], dead: [E]",
    );
    const log = pino({ level: "silent" });
    const relays = await startRelays({ runtime, signal: new AbortController().signal, log });
    closes.push(() => relays.stop());
    const flags = async () =>
      (await database.query("SELECT GROUP_CONCAT(COALESCE(send_flag, 'NULL') ORDER BY id) AS flags FROM box"))[0]
        ?.flags;
    await waitFor(async () => (await flags()) === "S,E,S,S,X", { message: "all that wait are settled" });
    expect(receiver.requests.map(({ body }) => body.toString("utf8"))).toEqual(["one", "bad", "three", "four"]);

    receiver.answerWith(() => ({ status: 204 }));
    const { message } = await getMessage({ runtime, outbox: "orders", id: "2" });
    expect(message).toMatchObject({ state: "dead", rawStatus: "E" });
    const targets = [{ id: "2", version: message.version }];
    const request = targetedRequestSchema.parse({ action: "retry", targets, reason: "INC-1" });
    await performOperation({ ctx: contextOf(runtime, ADMIN), outbox: "orders", request, idempotencyKey: null });
    await waitFor(async () => (await flags()) === "S,S,S,S,X", { message: "the retried one is published" });
  });

  test.each(["[null]", "[null, AGAIN]"])("are found by an index of the status: %s", async (pending) => {
    const database = await createBox(flavor);
    const digits =
      "(SELECT 0 n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6)";
    const many = ["a", "b", "c", "d", "e"].map((name) => `${digits} ${name}`).join(", ");
    await database.query(
      `INSERT INTO box (aggregate_id, event_type, payload, send_flag) SELECT 'a', 't', REPEAT('x', 200), 'S' FROM ${many}`,
    );
    await database.query(
      "INSERT INTO box (aggregate_id, event_type, payload) VALUES ('b', 't', 'new'), ('b', 't', 'new')",
    );
    await database.query("ANALYZE TABLE box");
    const missing = async () => {
      const lists = `pending: ${pending}, inFlight: [], failed: [], published: [S], dead: [E]`;
      const found = await missingIndexesOf(await open(database, "http://localhost", lists).outbox("orders"));
      return found.filter(({ purpose }) => purpose.startsWith("Finding waiting messages"));
    };
    expect(await missing()).toEqual([]);
    await database.query("DROP INDEX box_open ON box");
    expect(await missing()).toHaveLength(1);
  });
});
