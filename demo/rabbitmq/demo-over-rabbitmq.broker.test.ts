import { readFileSync } from "node:fs";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "#services/config/load-config.ts";
import { openRuntime } from "#services/runtime.ts";
import { testBroker } from "#tests/brokers/test-broker.ts";
import { uniqueName } from "#tests/brokers/unique-name.ts";
import { testDatabase } from "#tests/postgres.ts";
import { waitFor } from "#tests/wait-for.ts";
import { startRelays } from "../../relay/start-relays.ts";
import { startDemo } from "../start-demo.ts";

const broker = testBroker("rabbitmq");
const database = testDatabase();

/** The demo and its relay, as `npm start` runs them with DEMO_RABBITMQ_URL. */
async function startBoth() {
  const [{ url }, exchange] = [broker(), uniqueName()];
  const demo = await startDemo({
    databaseUrl: database().url,
    gatewayPort: 0,
    controlPort: 0,
    rabbitmq: { url, exchange },
    onTrouble: () => undefined,
  });
  const yaml = readFileSync("demo/outbox-rabbitmq.yaml", "utf8").replace(
    "exchange: outbox-console-demo",
    `exchange: ${exchange}`,
  );
  const env = { DEMO_DATABASE_URL: database().url, OUTBOX_EMBEDDED_URL: database().url, DEMO_RABBITMQ_URL: url };
  const runtime = openRuntime({ config: parseConfig(yaml, env, "test"), applicationName: "demo test", env });
  const relays = await startRelays({ runtime, signal: new AbortController().signal, log: pino({ level: "silent" }) });
  onTestFinished(async () => {
    await relays.stop();
    await demo.stop();
    await runtime.close();
  });
  return demo;
}

test("each consumer behind the exchange processes every event once, and one that fails parks it", async () => {
  const demo = await startBoth();
  const { pool } = database();
  const count = async (sql: string): Promise<number> => Number((await pool.query(sql)).rows[0]?.count);

  await demo.faults.set("reject-type", true);
  const invoicesParked = `SELECT count(*) FROM consumers.inbox
    WHERE consumer = 'notifications' AND event_type = 'invoice.rendered' AND parked_at IS NOT NULL AND last_error LIKE '%schema version 3%'`;
  await waitFor(async () => (await count(invoicesParked)) > 0, { message: "an invoice is parked" });
  await demo.faults.set("reject-type", false);

  await demo.faults.set("gateway-down", true);
  const waiting = "SELECT count(*) FROM shop.outbox_events WHERE published_at IS NULL";
  await waitFor(async () => (await count(waiting)) > 20, { message: "without the exchange events wait" });
  await demo.faults.set("gateway-down", false);

  demo.writer.setRate(0);
  await demo.writer.stop();
  await waitFor(async () => (await count(waiting)) === 0, { message: "everything is published" });
  const behind = `SELECT count(*) FROM shop.outbox_events e CROSS JOIN (VALUES ('search'), ('cache'), ('notifications')) c (name)
    LEFT JOIN consumers.inbox i ON i.consumer = c.name AND i.message_id = e.id::text
    WHERE i.processed_at IS NULL AND i.parked_at IS NULL`;
  await waitFor(async () => (await count(behind)) === 0, { message: "everything is processed" });
  const analysed =
    "SELECT count(*) FROM shop.outbox_events WHERE id NOT IN (SELECT event_id FROM analytics.processed_events)";
  await waitFor(async () => (await count(analysed)) === 0, { message: "analytics has everything" });

  const revenue = await pool.query(`SELECT
    (SELECT sum(revenue)::text FROM analytics.daily_revenue) AS kept,
    (SELECT sum((payload ->> 'amount')::numeric)::text FROM shop.outbox_events WHERE event_type = 'order.paid') AS sent`);
  expect(revenue.rows[0]?.kept).toBe(revenue.rows[0]?.sent);
  const sent = await count("SELECT count(*) FROM consumers.notification");
  const due = "SELECT count(*) FROM consumers.inbox WHERE consumer = 'notifications' AND processed_at IS NOT NULL";
  expect(sent).toBe(await count(`${due} AND event_type <> 'order.placed'`));
});
