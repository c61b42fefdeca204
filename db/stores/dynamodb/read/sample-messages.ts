import type { CounterReading } from "../../port/outbox-figures.ts";
import type { SampledMessage } from "../../port/outbox-reader.ts";
import { textOf } from "../items/item.ts";
import { aggregateKeyOf } from "../items/message-key.ts";
import type { Room } from "../room.ts";
import { readView } from "./outbox-view.ts";

const MOST_SAMPLED = 200;

/** Some of the messages whose items were read, the newest first, without payloads. */
export async function sampleMessages(room: Room, fields: Readonly<Record<string, string>>): Promise<SampledMessage[]> {
  const { columns } = room.ref.mapping;
  const { entries } = await readView(room);
  const newest = entries
    .filter(({ item }) => item !== null)
    .sort((one, other) => ((one.row.createdAt ?? "") < (other.row.createdAt ?? "") ? 1 : -1));
  return newest.slice(0, MOST_SAMPLED).map(({ row, item }) => {
    const text = (name: string | undefined) => (name === undefined ? null : textOf(item?.[name]));
    return {
      id: row.id,
      eventId: text(columns.id.name) ?? row.id,
      aggregateKey: aggregateKeyOf(row.aggregateType, row.aggregateId),
      aggregateType: row.aggregateType,
      aggregateId: row.aggregateId,
      eventType: row.eventType,
      topic: text(columns.topic?.name),
      headers: text(columns.headers?.name),
      fields: Object.fromEntries(Object.entries(fields).map(([field, name]) => [field, text(name)])),
      createdAt: row.createdAt,
      scheduled: row.availableAt !== null,
      order: ["", ""],
      attempts: row.attempts ?? 0,
    };
  });
}

/** Null if only some items were read and none of them matches. */
export async function hasMessagesOf(
  room: Room,
  subject: { eventType: string } | { aggregateKey: string },
): Promise<boolean | null> {
  const { entries, covers } = await readView(room);
  const found = entries.some(({ row }) =>
    "eventType" in subject
      ? row.eventType === subject.eventType
      : aggregateKeyOf(row.aggregateType, row.aggregateId) === subject.aggregateKey,
  );
  return found || covers === "all" ? found : null;
}

/** DynamoDB counts no inserts, and the table size that it reports is hours old. */
export function readCounters(): CounterReading {
  return { atSeconds: Date.now() / 1000, inserted: null, insertedBy: null, committed: null, relays: null };
}
