import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "#domain/errors.ts";
import type { Failure } from "#domain/failure.ts";
import type { Config } from "#services/config/config-schema.ts";
import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import { createRouter } from "../routing/create-router.ts";
import { openSinkToLook } from "../sinks/open-sink-to-look.ts";
import type { Sink } from "../sinks/sink.ts";

export interface SinkCheck {
  name: string;
  kind: string;
  /** Without secrets; empty if the sink could not be opened. */
  address: string;
  /** Null when the sink is reachable, as far as this is known without publishing. */
  failure: Failure | null;
  /** Names an object that the relay will create; null if there is none. */
  awaits: string | null;
}

const LONGEST_MS = 15_000;
const CLOSE_MS = 1000;
const AWAITS_RELAY = "its exchange is not there yet, and the relay declares it when it starts (declare: true)";

/** Checks every sink that a relay publishes to. Publishes nothing. */
export async function checkSinks(config: Config): Promise<SinkCheck[]> {
  const used = new Map<string, string>();
  for (const [outbox, { relay }] of Object.entries(config.outboxes)) if (relay) used.set(relay.sink, outbox);
  return Promise.all([...used].map(([name, outbox]) => checkOne(config, name, outbox)));
}

async function checkOne(config: Config, name: string, outbox: string): Promise<SinkCheck> {
  const settings = config.sinks[name];
  const relay = config.outboxes[outbox]?.relay;
  if (!settings || !relay) throw new Error(`The sink ${name} of outbox ${outbox} is not configured.`);
  const unopened = { name, kind: settings.kind, address: "", failure: null, awaits: null };
  const route = createRouter({ config: relay.route, outbox, sinkKind: settings.kind });
  let sink: Sink | undefined;
  try {
    sink = await openSinkToLook({ config: settings, outbox, route });
    const failure = await Promise.race([connectAndCheck(sink), tooLong()]);
    const opened = { ...unopened, address: sink.describe().address };
    return failure && relayMakes(settings, failure) ? { ...opened, awaits: AWAITS_RELAY } : { ...opened, failure };
  } catch (error) {
    const message = messageOf(error);
    const address = sink?.describe().address ?? "";
    return { ...unopened, address, failure: { code: "unknown", kind: "environment", message } };
  } finally {
    await Promise.race([sink?.close().catch(() => undefined), delay(CLOSE_MS, undefined, { ref: false })]);
  }
}

function relayMakes(settings: SinkConfig, failure: Failure): boolean {
  return settings.kind === "rabbitmq" && settings.declare && /no exchange/.test(failure.message);
}

async function connectAndCheck(sink: Sink): Promise<Failure | null> {
  await sink.connect();
  return sink.check();
}

async function tooLong(): Promise<Failure> {
  await delay(LONGEST_MS, undefined, { ref: false });
  return { code: "timeout", kind: "environment", message: `No answer within ${LONGEST_MS / 1000} s` };
}
