import { delay } from "../delay.ts";
import { maskUnknown } from "../masking/mask-rows.ts";
import type { Masker } from "../masking/masker.ts";
import { maskerFor } from "../outboxes/outbox-of.ts";
import { perRuntime } from "../per-runtime.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import type { ConnectorsAnswer, OffsetsAnswer, StatusAnswer } from "./connect-answers.ts";
import { type ConnectClient, openConnect } from "./connect-client.ts";
import { ConnectError } from "./connect-error.ts";

const PACE_MS = 4_000;
/** Connect may have hundreds of connectors, and their configurations change rarely. */
const ALL_PACE_MS = 60_000;
/** How long a caller waits while there is no earlier answer. */
const FIRST_WAIT_MS = 1_500;
/** An answer older than this is no longer shown. */
const LATE_MS = 6_000;

/** Kafka Connect's answers to one round of requests. A part without an answer is null and has its problem. */
export interface ConnectorLook {
  /** RFC 3339, on this machine's clock. */
  at: string;
  status: StatusAnswer | null;
  problem: ConnectError | null;
  /** Without passwords. */
  config: Record<string, string> | null;
  topics: string[] | null;
  offsets: OffsetsAnswer["offsets"] | null;
  /** Why the offsets are not known, as a sentence. */
  offsetsProblem: string | null;
  /** Every connector of this Connect, as of a minute ago at most. */
  all: ConnectorsAnswer | null;
}

interface Kept {
  latest: ConnectorLook | null;
  endedAtMs: number;
  running: Promise<void> | null;
  /** Last slot that the configuration named: it outlives an outage of Connect. */
  slot: string | null;
  all: { answer: ConnectorsAnswer | null; askedAtMs: number };
}

const NEVER = { answer: null, askedAtMs: Number.NEGATIVE_INFINITY };
const UNKNOWN: Kept = { all: NEVER, latest: null, endedAtMs: Number.NEGATIVE_INFINITY, running: null, slot: null };

const keptOf = perRuntime(() => new Map<string, Kept>());

/**
 * The connector that publishes an outbox, as of a few seconds ago. Null if none publishes it, undefined if Connect has
 * not answered yet. Never throws.
 */
export async function readConnector(runtime: Runtime, handle: OutboxHandle): Promise<ConnectorLook | null | undefined> {
  const { debezium } = handle.config;
  if (!debezium) return null;
  const kept = keepOf(runtime, handle);
  const sinceMs = performance.now() - kept.endedAtMs;
  if (!kept.running && sinceMs >= PACE_MS) kept.running = look(kept, openConnect(debezium));
  if (sinceMs > LATE_MS) kept.latest = null;
  if (kept.running && kept.latest === null) await Promise.race([kept.running, delay(FIRST_WAIT_MS)]);
  if (kept.latest === null) return undefined;
  const masker = await maskerFor(handle);
  return masker ? withMaskedTraces(kept.latest, masker) : kept.latest;
}

/** A trace may quote the row at which a task failed, which may be of any event type. */
function withMaskedTraces(look: ConnectorLook, masker: Masker): ConnectorLook {
  const { status } = look;
  if (status === null) return look;
  const masked = <Part extends { trace?: string | undefined }>(part: Part): Part =>
    part.trace === undefined ? part : { ...part, trace: maskUnknown(masker, part.trace) };
  return { ...look, status: { ...status, connector: masked(status.connector), tasks: status.tasks.map(masked) } };
}

/** Makes the next reader ask again after an act; pending answers are older than the act. */
export function forgetConnector(runtime: Runtime, handle: OutboxHandle): void {
  const { slot } = keepOf(runtime, handle);
  keptOf(runtime).set(keyOf(handle), { ...UNKNOWN, slot });
}

/** Name of the connector's slot, as configured here or there; null if it has none or it is not known. */
export function connectorSlotOf(runtime: Runtime, handle: OutboxHandle): string | null {
  if (!handle.config.debezium) return null;
  return handle.config.debezium.slot ?? keepOf(runtime, handle).slot;
}

function keepOf(runtime: Runtime, handle: OutboxHandle): Kept {
  const all = keptOf(runtime);
  const key = keyOf(handle);
  let kept = all.get(key);
  if (!kept) {
    kept = { ...UNKNOWN };
    all.set(key, kept);
  }
  return kept;
}

/** Changes if the configuration names another connector. */
function keyOf({ name, config: { debezium } }: OutboxHandle): string {
  return JSON.stringify([name, debezium?.connect.address, debezium?.connector]);
}

async function look(kept: Kept, client: ConnectClient): Promise<void> {
  const askedAtMs = performance.now();
  const isDue = askedAtMs - kept.all.askedAtMs >= ALL_PACE_MS;
  const [asked, all] = await Promise.all([ask(client), isDue ? settled(client.all()) : null]);
  if (all) kept.all = { answer: all.value, askedAtMs };
  const latest = { ...asked, all: kept.all.answer };
  kept.slot = slotIn(latest.config) ?? kept.slot;
  kept.latest = latest;
  kept.endedAtMs = performance.now();
  kept.running = null;
}

async function ask(client: ConnectClient): Promise<Omit<ConnectorLook, "all">> {
  const [status, config, topics, offsets] = await Promise.all([
    settled(client.status()),
    settled(client.config()),
    settled(client.topics()),
    settled(client.offsets()),
  ]);
  return {
    at: new Date().toISOString(),
    status: status.value,
    problem: status.problem,
    config: config.value,
    topics: topics.value,
    offsets: offsets.value?.offsets ?? null,
    offsetsProblem: offsets.problem?.message ?? null,
  };
}

async function settled<Value>(
  asked: Promise<Value>,
): Promise<{ value: Value; problem: null } | { value: null; problem: ConnectError }> {
  try {
    return { value: await asked, problem: null };
  } catch (error) {
    if (error instanceof ConnectError) return { value: null, problem: error };
    throw error;
  }
}

/** Debezium's default name is `debezium`. */
function slotIn(config: Record<string, string> | null): string | null {
  if (!config?.["connector.class"]?.includes("PostgresConnector")) return null;
  return config["slot.name"] ?? "debezium";
}
