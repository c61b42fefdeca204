import { setTimeout as delay } from "node:timers/promises";
import { pino } from "pino";
import { runRelay } from "#relay/run-relay.ts";
import { cdcNames } from "#services/config/cdc-names.ts";
import { parseConfig } from "#services/config/load-config.ts";
import type { RelayConfig } from "#services/config/relay-schema.ts";
import { outboxOf } from "#services/outboxes/outbox-of.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";
import { acceptFirstMapping } from "#services/stores/accept-first-mapping.ts";
import { OUTBOX } from "#tests/outbox-table.ts";
import { outboxYaml } from "../dynamodb/dynamodb-table.ts";
import type { Contender } from "./contender.ts";
import { settingsOf } from "./relay.ts";

const LOOK_MS = 5;

/** The relay as in production, over DynamoDB, with its default budget of reads. */
export const dynamodbRelay: Contender = { start: (input) => startRelay(input, "polling") };

/** The same, reading the table's stream. */
export const dynamodbRelayCdc: Contender = { start: (input) => startRelay(input, "cdc") };

type Input = Parameters<Contender["start"]>[0];

async function startRelay({ url, target, instance }: Input, source: RelayConfig["source"]) {
  const applicationName = "outbox-console bench";
  const runtime = openRuntime({ config: parseConfig(outboxYaml(url, source), {}, "bench"), applicationName, env: {} });
  const handle = await runtime.outbox(OUTBOX);
  const accepted = await acceptFirstMapping(runtime, handle, "bench");
  const outbox = outboxOf({ ...handle, accepted });
  const { config, sink } = await settingsOf(target, { source });
  if (source === "cdc") await outbox.createStream(cdcNames(OUTBOX, config.cdc));
  const stopping = new AbortController();
  const running = runRelay({
    ...{ id: `bench-${instance}`, version: "bench", outbox: OUTBOX, store: outbox, config, sink },
    log: pino({ level: process.env.LOG_LEVEL ?? "warn" }),
    signal: stopping.signal,
  });
  await Promise.race([running, untilOwned(runtime)]);
  return {
    async stop() {
      stopping.abort();
      await running;
      await runtime.close();
    },
  };
}

/** Resolves once it, or another relay started with it, publishes. */
async function untilOwned(runtime: Runtime): Promise<void> {
  const { store } = await runtime.outbox(OUTBOX);
  for (;;) {
    const { leases } = await store.records.relays(OUTBOX);
    if (leases.some(({ owner, expired }) => owner !== "" && !expired)) return;
    await delay(LOOK_MS);
  }
}
