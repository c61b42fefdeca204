import type { OperationPreview } from "#contracts/message/operations.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import { type BulkAction, canFailAgain } from "#domain/message/bulk-operation.ts";
import { findSightings } from "../inboxes/find-sightings.ts";
import { eventIdOf } from "../messages/event-id-of.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { OutboxHandle, Runtime } from "../runtime.ts";
import { TimeBudget } from "../time-budget.ts";

/** Messages that are checked one by one, spread evenly over all that were read. */
const SAMPLE = 24;
const AT_ONCE = 6;
const MOST_MS = 1500;

type Consequences = Pick<OperationPreview, "laterPublished" | "processedBy">;

/**
 * Effects of a retry or a re-publish on consumers, from a sample of at most 24 messages read within about 1.5 s: later
 * messages of the same aggregate that were published already, and inboxes that have processed the message. Empty for
 * other actions.
 */
export async function sampleConsequences(input: {
  runtime: Runtime;
  handle: OutboxHandle;
  action: BulkAction;
  rows: readonly MessageRow[];
}): Promise<Consequences> {
  const { runtime, handle, action } = input;
  if (!canFailAgain(action)) return { laterPublished: null, processedBy: [] };
  const sample = spread(input.rows, SAMPLE);
  const budget = new TimeBudget(MOST_MS);
  const looked: { later: number | null; processed: string[]; seen: string[] }[] = [];
  for (let from = 0; from < sample.length && !budget.isUp; from += AT_ONCE) {
    const some = sample.slice(from, from + AT_ONCE);
    const answers = await Promise.allSettled(some.map(({ id }) => budget.waitFor(look(runtime, handle, id))));
    looked.push(...answers.flatMap((one) => (one.status === "fulfilled" && one.value ? [one.value] : [])));
  }
  const known = looked.flatMap(({ later }) => (later === null ? [] : [later]));
  const inboxes = [...new Set(looked.flatMap(({ seen }) => seen))].sort();
  return {
    laterPublished:
      known.length === 0 ? null : { messages: known.filter((later) => later > 0).length, checked: known.length },
    processedBy: inboxes.map((inbox) => ({
      inbox,
      messages: looked.filter(({ processed }) => processed.includes(inbox)).length,
      checked: looked.length,
    })),
  };
}

async function look(runtime: Runtime, handle: OutboxHandle, id: string) {
  const stored = await outboxOf(handle).read.message(id);
  if (!stored) return null;
  const sightings = await findSightings({ runtime, handle, eventId: eventIdOf(handle, stored) });
  const readable = sightings.filter(({ state }) => state !== "unknown");
  return {
    later: stored.laterPublished,
    processed: readable.filter(({ state }) => state === "processed").map(({ inbox }) => inbox),
    seen: readable.map(({ inbox }) => inbox),
  };
}

/** At most `most` of the rows, evenly spread, in their order. */
function spread<Row>(rows: readonly Row[], most: number): Row[] {
  if (rows.length <= most) return [...rows];
  return Array.from({ length: most }, (_, index) => rows[Math.floor((index * rows.length) / most)] as Row);
}
