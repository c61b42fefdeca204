import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { recogniseOutbox } from "#db/shapes/recognise.ts";
import { openStore } from "#db/stores/open-store.ts";
import { fingerprintOf } from "#db/stores/port/mapping-fingerprint.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import type { Store } from "#db/stores/port/store.ts";
import { runRelay } from "#relay/run-relay.ts";
import { cdcNames } from "#services/config/cdc-names.ts";
import type { RelayConfig } from "#services/config/relay-schema.ts";
import { OUTBOX } from "#tests/outbox-table.ts";
import { MYSQL_TABLE } from "../mysql/mysql-table.ts";
import type { Contender } from "./contender.ts";
import { connect } from "./mysql-limit.ts";
import { settingsOf } from "./relay.ts";

const LOOK_MS = 5;

/** The relay as in production, over MySQL or MariaDB. */
export const mysqlRelay: Contender = { start: (input) => startRelay(input, "polling") };

/** The same, reading the binary log from its present end. */
export const mysqlRelayCdc: Contender = { start: (input) => startRelay(input, "cdc") };

type Input = Parameters<Contender["start"]>[0];

async function startRelay({ url, target, instance }: Input, source: RelayConfig["source"]) {
  const store = await openStore({ kind: "mysql", name: "bench", url, applicationName: "outbox-console bench" });
  const ref = await refOf(store);
  const { config, sink } = await settingsOf(target, { source });
  const outbox = store.outbox(ref);
  if (source === "cdc") await outbox.createStream(cdcNames(OUTBOX, config.cdc));
  const stopping = new AbortController();
  const running = runRelay({
    ...{ id: `bench-${instance}`, version: "bench", outbox: OUTBOX, store: outbox, config, sink },
    log: pino({ level: process.env.LOG_LEVEL ?? "warn" }),
    signal: stopping.signal,
  });
  await Promise.race([running, untilOwned(url)]);
  return {
    async stop() {
      stopping.abort();
      await running;
      await store.close();
    },
  };
}

/** The table as the console recognises it, accepted. */
async function refOf(store: Store): Promise<OutboxRef> {
  const { tables } = await store.catalog();
  const table = tables.find(({ name }) => name === MYSQL_TABLE);
  if (!table) throw new Error("The benchmark's table is missing.");
  const recognised = recogniseOutbox(table, tables);
  if ("problem" in recognised) throw new Error(recognised.problem);
  const accepted = fingerprintOf(table, recognised.mapping);
  if (!accepted) throw new Error("The table lacks a column of the mapping.");
  const { mapping } = recognised;
  await store.records.keepFirstMapping({ outbox: OUTBOX, fingerprint: accepted, by: "bench" });
  return { ...{ name: OUTBOX, mapping, accepted, storeSide: true, maxAttempts: null }, estimatedRows: -1 };
}

/** Resolves once it, or another relay started with it, publishes. */
async function untilOwned(url: string): Promise<void> {
  const connection = await connect(url);
  const owned =
    "SELECT 1 FROM outbox_console.lease WHERE outbox = ? AND owner <> '' AND until > UTC_TIMESTAMP(6) LIMIT 1";
  for (;;) {
    const [rows] = await connection.query(owned, [OUTBOX]);
    if ((rows as unknown[]).length > 0) break;
    await delay(LOOK_MS);
  }
  await connection.end();
}
