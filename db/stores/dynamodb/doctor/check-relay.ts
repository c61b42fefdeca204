import type { DoctorFinding } from "../../port/doctor.ts";
import type { StreamOptions } from "../../port/store.ts";
import { ttlAttribute } from "../read/read-message.ts";
import type { WaitingIndex } from "../relay/index-shape.ts";
import { unsortedLimit } from "../relay/unsorted-limit.ts";
import { INDEX_START, readPart } from "../relay/unsorted-part.ts";
import { waitingIndexOf } from "../relay/waiting-index.ts";
import type { Room } from "../room.ts";
import { readCheckpoints } from "../streams/checkpoints.ts";
import { problemOfReader, problemOfTable } from "../streams/stream-problem.ts";

/** Further needs of the relay: an index in order, a time to live where it sets one, and the stream. */
export async function checkRelay(room: Room, stream: StreamOptions | undefined): Promise<DoctorFinding[]> {
  const { ref, family, link } = room;
  const table = await link.describe(family.table);
  if (!table) return [];
  const of = `outbox ${ref.name}`;
  const index = waitingIndexOf({ room, mapping: ref.mapping }, table);
  return [
    ...(index && !index.sortedBy ? [await checkUnsorted(room, index, of)] : []),
    ...(index || !stream ? [] : [withoutIndex(of)]),
    ...(await checkKeeping(room, of)),
    ...(stream ? [await checkStream(room, stream, of)] : []),
  ];
}

async function checkUnsorted(room: Room, index: WaitingIndex, of: string): Promise<DoctorFinding> {
  const { isCut } = await readPart(room, index, {
    start: INDEX_START,
    spent: (units) => room.link.budget.take(units),
  });
  const most = unsortedLimit.items.toLocaleString("en");
  const reads = isCut
    ? `It holds ${most} items or more, so the relay reads parts of it in turn: messages wait until theirs is read, and an event may overtake an earlier one of its aggregate`
    : `The relay reads all of it for each claim; from ${most} items on, it would read parts in turn`;
  return {
    level: "later",
    text: `${of}: the index ${index.name} is not sorted by the order of messages, or its keys are not named. ${reads}`,
    fix: "Give the index the attribute of the role order as its sort key, and set waiting.keys.",
  };
}

function withoutIndex(of: string): DoctorFinding {
  return {
    level: "bad",
    text: `${of}: no index finds waiting items: what the stream has removed after 24 hours, or what was written while it was off, is never published`,
    fix: "Create a global secondary index whose partition key is an attribute that only waiting items have, and set waiting.index.",
  };
}

async function checkKeeping(room: Room, of: string): Promise<DoctorFinding[]> {
  const { keepPublished, table } = room.family;
  if (!keepPublished) return [];
  const ttl = await ttlAttribute(room);
  if (ttl === keepPublished.attribute) return [];
  const now = ttl === null ? "deletes nothing by its time to live" : `deletes by ${ttl}`;
  return [
    {
      level: "later",
      text: `${of}: the relay sets ${keepPublished.attribute}, but ${table} ${now}`,
      fix: `aws dynamodb update-time-to-live --table-name ${table} --time-to-live-specification Enabled=true,AttributeName=${keepPublished.attribute}`,
    },
  ];
}

async function checkStream(room: Room, { reader, mark }: StreamOptions, of: string): Promise<DoctorFinding> {
  const { ref, family, link, own } = room;
  const table = await link.describe(family.table);
  const kept = ref.storeSide ? await readCheckpoints(own, ref.name, reader) : null;
  const problem =
    problemOfTable(family.table, table, mark) ??
    problemOfReader(reader, kept?.reader ?? null, table?.LatestStreamArn ?? "");
  if (!problem) return { level: "ok", text: `${of}: the stream of ${family.table} is read by ${reader}` };
  const fix = problem.sql === null ? {} : { fix: problem.sql };
  return { level: problem.passes ? "later" : "bad", text: `${of}: ${problem.message}`, ...fix };
}
