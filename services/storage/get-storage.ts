import type { Storage } from "#contracts/outbox/storage.ts";
import { daysUntil, growthPerDay, type SizeAt, spanSeconds } from "#domain/figures/growth.ts";
import { monitorSign } from "../monitor-alive.ts";
import { missingIndexesOf } from "../outboxes/missing-indexes.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import { whyNoOwnTables } from "../outboxes/own-tables.ts";
import { policiesOf, ruleOf } from "../retention/policies-of.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { asAccepted } from "../stores/as-accepted.ts";
import { sentencesOf } from "../stores/outbox-stop.ts";
import { inboxStorageOf } from "./inbox-storage.ts";

const RUNS = 20;
const SHOWN_DAYS = 30;
const TREND_MS = 7 * 86_400_000;
const DEFAULT_KEEP_MS = 14 * 86_400_000;

/** Where the space of one outbox goes, and what retention does about it. Throws: not_found, unavailable. */
export async function getStorage(input: { runtime: Runtime; outbox: string }): Promise<Storage> {
  const handle = await input.runtime.outbox(input.outbox);
  const { mapping, store, config } = handle;
  const [reading, missingIndexes, points, retention, inboxes] = await Promise.all([
    store.guard.ask(() => outboxOf(handle).storage.read()),
    missingIndexesOf(handle).catch(() => []),
    sizesOf(input.runtime, handle),
    retentionOf(input.runtime, handle),
    inboxStorageOf(input.runtime, handle.name),
  ]);
  const { slot } = config.relay?.source === "cdc" ? { slot: config.relay.cdc.slot } : { slot: undefined };
  const limitBytes = config.storage.limitBytes ?? null;
  const recent = recentOf(points);
  const bytesPerDay = growthPerDay(recent);
  return {
    outbox: handle.name,
    table: `${mapping.table.schema}.${mapping.table.name}`,
    asOf: new Date().toISOString(),
    ...reading,
    slots: reading.slots.map((one) => (one.name === slot ? { ...one, isOurs: true } : one)),
    growth: {
      ...{ bytesPerDay, overSeconds: spanSeconds(recent), limitBytes, points },
      daysLeft: daysUntil({ bytes: reading.size.totalBytes, perDay: bytesPerDay, limit: limitBytes }),
    },
    missingIndexes,
    retention,
    inboxes,
  };
}

function recentOf(points: readonly SizeAt[]): SizeAt[] {
  const newest = Date.parse(points.at(-1)?.at ?? "");
  return points.filter(({ at }) => Date.parse(at) > newest - TREND_MS);
}

/** Without a console database nothing is remembered. */
async function sizesOf({ records, consoleGuard }: Runtime, { name }: OutboxHandle): Promise<SizeAt[]> {
  if (!records || !consoleGuard) return [];
  return consoleGuard.ask(() => records.sizes(name, SHOWN_DAYS)).catch(() => []);
}

async function retentionOf(runtime: Runtime, handle: OutboxHandle): Promise<Storage["retention"]> {
  const { config, store } = handle;
  const published = config.retention.published ?? { keepMs: DEFAULT_KEEP_MS, how: "delete" as const };
  const { retention } = outboxOf(handle);
  const runs = retention && handle.storeSide ? await retention.runs(RUNS).catch(() => []) : [];
  const no = store.capabilities.retention;
  return {
    policies: policiesOf(handle).map(({ text }) => text),
    refusal: no !== true ? no.no : await refusalOf(handle),
    ...{ keepSeconds: published.keepMs / 1000, how: published.how },
    monitorAlive: (await monitorSign(runtime)).alive,
    runs,
  };
}

async function refusalOf(handle: OutboxHandle): Promise<string | null> {
  const { config } = handle;
  if (config.mode === "observe")
    return "This outbox is only observed. Set mode: operate in outbox.yaml to let retention remove rows.";
  if (handle.stop) return sentencesOf(handle.stop);
  if (!handle.storeSide) return whyNoOwnTables(handle);
  const published = config.retention.published ?? { keepMs: DEFAULT_KEEP_MS, how: "delete" as const };
  return (await outboxOf(asAccepted(handle)).retention?.refuses(ruleOf(handle, published))) ?? null;
}
