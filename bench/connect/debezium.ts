import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import { planConnector } from "#services/connect/connector-plan.ts";
import type { ConnectProcess } from "#tests/connect/connect-process.ts";
import { deleteConnector, putConnector } from "#tests/connect/connectors.ts";
import { MAPPING, OUTBOX } from "#tests/outbox-table.ts";
import { cpuMicrosOf } from "../server-cpu.ts";
import { TOPIC } from "../target.ts";
import type { Begun } from "./rival.ts";

const CONNECTOR = "bench-connector";
export const HEARTBEATS = `__debezium-heartbeat.${CONNECTOR}`;
export const PASSWORD = "b3nch";
const SLOT = "debezium_bench";
const STARTS_WITHIN_MS = 120_000;
const LOOK_MS = 5;

/** The connector that `npm run debezium` writes. */
function plan(url: string) {
  const planned = planConnector({
    ...{ outbox: OUTBOX, connector: CONNECTOR, slot: SLOT, publication: SLOT, mapping: MAPPING },
    ...{ partitioned: false, relayed: false, product: "Postgres", url },
  });
  if ("refusal" in planned) throw new Error(planned.refusal);
  return planned;
}

/**
 * Runs the plan's SQL in the database, sets its user's password and creates the slot. The table must exist and be
 * empty.
 */
export async function prepareDebezium(client: Client, url: string): Promise<void> {
  await client.query(plan(url).preparation);
  await client.query(`ALTER ROLE debezium PASSWORD '${PASSWORD}'`);
  await client.query("SELECT pg_create_logical_replication_slot($1, 'pgoutput')", [SLOT]);
}

/** Removes everything that `prepareDebezium` created, except the slot. */
export async function forgetDebezium(client: Client): Promise<void> {
  await client.query(`DROP PUBLICATION IF EXISTS ${SLOT}`);
  await client.query("DROP TABLE IF EXISTS public.debezium_heartbeat");
  const { rowCount } = await client.query("SELECT FROM pg_roles WHERE rolname = 'debezium'");
  if (rowCount === 1) await client.query("DROP OWNED BY debezium; DROP ROLE debezium");
}

/**
 * Debezium's connector for Postgres in a Kafka Connect that already runs, with the configuration of `npm run debezium`,
 * into the topic of the other contenders. It begins when it reads its slot, so that its start, some seconds, is not
 * measured. Its CPU time is that of all of Connect.
 */
export async function beginDebezium<Reading>(
  { client, connect, url }: { client: Client; connect: ConnectProcess; url: string },
  settings: Record<string, string>,
  read: () => Promise<Reading>,
): Promise<Begun<Reading>> {
  const topic = { "transforms.outbox.route.topic.replacement": TOPIC };
  await putConnector(connect, CONNECTOR, { ...plan(url).config, ...topic, ...settings });
  const total = () => cpuMicrosOf(connect.pid() ?? Number.NaN);
  const [before, own] = await lastBeforeItReads(client, async () => [await read(), await total()] as const);
  return {
    before,
    running: { cpuMicros: async () => (await total()) - own, stop: () => deleteConnector(connect, CONNECTOR) },
  };
}

/** Reads before each check, because the connector works as soon as it reads its slot, and all of that work counts. */
async function lastBeforeItReads<Reading>(client: Client, read: () => Promise<Reading>): Promise<Reading> {
  const deadline = performance.now() + STARTS_WITHIN_MS;
  const active = "SELECT FROM pg_replication_slots WHERE slot_name = $1 AND active";
  for (;;) {
    const reading = await read();
    if ((await client.query(active, [SLOT])).rowCount === 1) return reading;
    if (performance.now() > deadline) throw new Error("Debezium has not begun to read its slot.");
    await delay(LOOK_MS);
  }
}
