import { AppError } from "#domain/errors.ts";
import type { InboxLookup, InboxRow, LookedUpRow } from "../../port/inbox-reader.ts";
import { nowText } from "../items/instant.ts";
import { serverNowMs } from "../own-table/terms.ts";
import { byKey, type InboxRoom, readRows, rowOf } from "./read-inbox.ts";

const AT_ONCE = 10;

/**
 * As InboxReader.lookUp: among the items of a small table, which is read whole; otherwise by key. Throws
 * filter_not_indexed if the message's id is not the partition key of a larger table.
 */
export async function lookUpInboxRows(
  room: InboxRoom,
  { messageIds, consumer }: InboxLookup,
): Promise<{ rows: LookedUpRow[]; asOf: string }> {
  const { rows, reading } = await readRows(room);
  const isOf = (row: InboxRow) => consumer === null || room.mapping.consumer === null || row.consumer === consumer;
  const answer = (found: readonly InboxRow[], asOf: string) => ({ rows: found.filter(isOf).flatMap(toLookedUp), asOf });
  if (reading.covers === "all") {
    const asked = new Set(messageIds);
    return answer(
      rows.filter(({ messageId }) => messageId !== null && asked.has(messageId)),
      reading.asOf,
    );
  }
  const { mapping, family } = room;
  if (mapping.primaryKey[0]?.name !== mapping.messageId.name)
    throw new AppError("filter_not_indexed", "DynamoDB would read the whole table to find these messages.", {
      details: { index: `A table of ${family.table} whose partition key is ${mapping.messageId.name}.` },
    });
  const asOf = nowText(serverNowMs(room.link));
  const found: InboxRow[] = [];
  for (let from = 0; from < messageIds.length; from += AT_ONCE) {
    const some = messageIds.slice(from, from + AT_ONCE).filter((id) => id !== "");
    const items = await Promise.all(some.map((id) => byKey(room, id)));
    found.push(...items.flat().map((item) => rowOf(mapping, item, asOf)));
  }
  return answer(found, asOf);
}

function toLookedUp({ messageId, consumer, state, processedAt, receivedAt }: InboxRow): LookedUpRow[] {
  return messageId === null ? [] : [{ messageId, consumer, state, at: processedAt ?? receivedAt }];
}

/** As InboxReader.oldestDone; null where the table is too large to be read whole. */
export async function oldestDoneRow(
  room: InboxRoom,
  consumer: string | null,
): Promise<{ at: string | null; asOf: string }> {
  const { rows, reading } = await readRows(room);
  if (reading.covers !== "all") return { at: null, asOf: reading.asOf };
  const done = room.mapping.mark.kind === "none" ? "received" : "processed";
  const times = rows
    .filter((row) => row.state === done)
    .filter((row) => consumer === null || room.mapping.consumer === null || row.consumer === consumer)
    .flatMap(({ processedAt, receivedAt }) => processedAt ?? receivedAt ?? []);
  return { at: times.sort()[0] ?? null, asOf: reading.asOf };
}
