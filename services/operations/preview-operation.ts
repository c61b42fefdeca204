import type { OperationPreview, PreviewRequest } from "#contracts/message/operations.ts";
import { MOST_AT_ONCE } from "#contracts/message/operations.ts";
import type { NewItem } from "#db/stores/port/bulk-records.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import type { OutboxStore } from "#db/stores/port/store.ts";
import { isAppError } from "#domain/errors.ts";
import type { ServiceContext } from "../context.ts";
import { requireErrorSearch } from "../masking/require-error-search.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { whyUndecided } from "../stores/accept-first-mapping.ts";
import { planOf } from "./bulk/bulk-plan.ts";
import { requireItems } from "./bulk/kept-items.ts";
import { matchingOf } from "./bulk/matching-of.ts";
import { replaySinksOf, requireReplaySink, whyNoReplay } from "./bulk/replay/replay-sinks.ts";
import { selectItems } from "./bulk/select-items.ts";
import { noBulkIn, whyNoWorker } from "./bulk/why-no-bulk.ts";
import { requireOperable } from "./require-operable.ts";
import { sampleConsequences } from "./sample-consequences.ts";

/** Most messages that the preview covers. The operation itself has no such limit. */
const MOST_READ = 2000;

/**
 * Effects of an operation, without performing it: the first 2,000 messages by type, the refusals with their reasons,
 * and for a sample what consumers have seen. Throws: not_found, forbidden (searching masked errors),
 * filter_not_indexed, invalid_input, unavailable, query_timeout.
 */
export async function previewOperation(input: {
  ctx: ServiceContext;
  outbox: string;
  request: PreviewRequest;
}): Promise<OperationPreview> {
  const { ctx, request } = input;
  const { runtime } = ctx;
  const handle = await runtime.outbox(input.outbox);
  await requireErrorSearch(handle, ctx.actor, request.filter ?? {});
  const outbox = outboxOf(handle);
  const [{ matching: counted, confirm }, { items, rows, isWhole }] = await Promise.all([
    matchingOf(handle, request),
    readFirst(handle, request),
  ]);
  // A message that is gone, or that came between the two readings, is in one of them only.
  const matching = isWhole && counted.precision === "exact" ? { ...counted, value: items.length } : counted;
  const possible = rows.filter(({ id }) => items.some(({ messageId, refused }) => messageId === id && !refused));
  const consequences = await sampleConsequences({ runtime, handle, action: request.action, rows: possible });
  return {
    action: request.action,
    matching,
    read: items.length,
    confirm,
    types: byType(rows),
    aggregates: countAggregates(rows),
    topAggregates: topAggregates(rows),
    relays: request.action === "retry" ? await byRelay(outbox, rows) : null,
    payloadBytes: sumBytes(rows),
    scheduled: possible.filter(isScheduled).length,
    refused: refusals(items),
    ...consequences,
    sinks: request.action === "republish" ? replaySinksOf(runtime, handle) : [],
    does: request.action === "republish" ? null : outbox.act.does(request.action),
    blocked: await whyBlocked(runtime, handle, request),
    asOf: new Date().toISOString(),
  };
}

async function readFirst(
  handle: OutboxHandle,
  request: PreviewRequest,
): Promise<{ items: NewItem[]; rows: MessageRow[]; isWhole: boolean }> {
  const outbox = outboxOf(handle);
  const { selection } = planOf({ ...request, reason: "" });
  const items: NewItem[] = [];
  const startedAt = new Date(Date.now() + DAY_MS).toISOString();
  let cursor: string | null = null;
  do {
    const page = await selectItems({
      store: handle.store,
      outbox,
      selection,
      action: request.action,
      startedAt,
      cursor,
      selected: items.length,
    });
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null && items.length < MOST_READ);
  const rows = await outbox.read.find(items.map(({ messageId }) => messageId));
  return { items, rows, isWhole: cursor === null };
}

/** A host's clock may be behind the database's: the preview shows messages of this moment too. */
const DAY_MS = 86_400_000;

function byType(rows: readonly MessageRow[]): OperationPreview["types"] {
  const types = [...Map.groupBy(rows, ({ eventType }) => eventType)].map(([eventType, of]) => {
    const created = of.flatMap(({ createdAt }) => createdAt ?? []).sort();
    const states = [...Map.groupBy(of, ({ state }) => state)].map(([state, rows]) => [state, rows.length]);
    return {
      eventType,
      messages: of.length,
      states: Object.fromEntries(states) as OperationPreview["types"][number]["states"],
      aggregates: countAggregates(of),
      oldestAt: created[0] ?? null,
      newestAt: created.at(-1) ?? null,
    };
  });
  return types.sort((one, other) => other.messages - one.messages);
}

function byAggregate(rows: readonly MessageRow[]): Map<string, MessageRow[]> {
  const named = rows.filter(({ aggregateId }) => aggregateId !== null);
  return Map.groupBy(named, ({ aggregateType, aggregateId }) => JSON.stringify([aggregateType, aggregateId]));
}

function countAggregates(rows: readonly MessageRow[]): number {
  return byAggregate(rows).size;
}

const TOP_AGGREGATES = 5;

function topAggregates(rows: readonly MessageRow[]): OperationPreview["topAggregates"] {
  return [...byAggregate(rows).values()]
    .toSorted((one, other) => other.length - one.length)
    .slice(0, TOP_AGGREGATES)
    .flatMap(([first, ...others]) =>
      first?.aggregateId == null
        ? []
        : [{ aggregateType: first.aggregateType, aggregateId: first.aggregateId, messages: 1 + others.length }],
    );
}

async function byRelay(outbox: OutboxStore, rows: readonly MessageRow[]): Promise<OperationPreview["relays"]> {
  const failedBy = await outbox.read.failedBy(rows.map(({ id }) => id));
  if (failedBy === null) return null;
  const relays = [...Map.groupBy(rows, ({ id }) => failedBy.get(id) ?? null)].map(([relay, of]) => ({
    relay,
    messages: of.length,
  }));
  return relays.sort((one, other) => other.messages - one.messages);
}

/** By this process's clock, as only a hint depends on it. */
function isScheduled({ availableAt, attempts }: MessageRow): boolean {
  return availableAt !== null && !attempts && Date.parse(availableAt) > Date.now();
}

/** Null if no row says how large it is. */
function sumBytes(rows: readonly MessageRow[]): number | null {
  const sizes = rows.flatMap(({ payloadBytes }) => payloadBytes ?? []);
  return sizes.length === 0 ? null : sizes.reduce((sum, bytes) => sum + bytes, 0);
}

function refusals(items: readonly NewItem[]): OperationPreview["refused"] {
  const reasons = items.flatMap(({ refused }) => refused?.message ?? []);
  const counted = [...Map.groupBy(reasons, (reason) => reason)].map(([reason, of]) => ({
    reason,
    messages: of.length,
  }));
  return counted.sort((one, other) => other.messages - one.messages);
}

async function whyBlocked(runtime: Runtime, handle: OutboxHandle, request: PreviewRequest): Promise<string | null> {
  const { action, sink } = request;
  const refused = action === "republish" ? whyNoReplay(handle) : outboxOf(handle).act.refuses(action);
  if (refused !== null) return refused;
  const undecided = whyUndecided(handle);
  if (undecided !== null) return undecided;
  try {
    requireOperable(handle);
    if (request.itemsOf) await requireItems(runtime, handle, request.itemsOf.operation);
    // Without an own sink the operator chooses one of those in the answer.
    const [first] = replaySinksOf(runtime, handle);
    if (action === "republish") requireReplaySink(runtime, handle, sink ?? first?.name);
  } catch (error) {
    if (isAppError(error)) return error.message;
    throw error;
  }
  const atOnce = action !== "republish" && (request.targets?.length ?? Number.POSITIVE_INFINITY) <= MOST_AT_ONCE;
  if (atOnce) return null;
  if (!handle.store.records.bulk) return noBulkIn("this database");
  return whyNoWorker(runtime, action);
}
