import type { AttributeValue, TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { MappedColumn, OutboxMapping, TimeEncoding } from "../../../port/mapping.ts";
import type { OutgoingMessage } from "../../../port/relay/outgoing-message.ts";
import { writableWords } from "../../../shared/act/writable-words.ts";
import { attemptsAfter, type TroubleEntry } from "../../../shared/relay/settle-entries.ts";
import { type Changes, updateExpression, Words } from "../../act/item-writes.ts";
import { deadChanges } from "../../act/native-changes.ts";
import { encodeInstant } from "../../items/instant.ts";
import { keyOf } from "../../items/message-key.ts";
import { wordValue } from "../../items/word-value.ts";
import { serverNowMs } from "../../own-table/terms.ts";
import { isOfVersion, isVersion } from "../item-version.ts";
import type { RelayContext } from "../relay-context.ts";
import { leavesIndex } from "../waiting-index.ts";

const ZONED: TimeEncoding = { kind: "timestamptz" };
const DAY_SECONDS = 86_400;
/** Values of a flag that is not set. */
const UNSET: AttributeValue[] = [
  ...[false].map((BOOL) => ({ BOOL })),
  { N: "0" },
  ...["false", "False", "FALSE", "0", "", "no", "n", "No", "N", "NO"].map((S) => ({ S })),
];

/** A message; without a version, any item with the key. */
type Claimed = Pick<OutgoingMessage, "id" | "version">;

/**
 * The write that marks a message as published, or deletes its item. It fails if the item is not unsent any more or
 * another item has replaced it.
 */
export function markWrite(context: RelayContext, message: Claimed): TransactWriteItem {
  const { mapping, room } = context;
  const Key = keyOf(message.id, mapping) ?? {};
  const words = new Words();
  const ConditionExpression = stillCondition(words, mapping, message);
  if (mapping.lifecycle.kind === "delete" || context.settings.stream?.mark === "delete")
    return { Delete: { TableName: room.family.table, Key, ConditionExpression, ...words.attributes } };
  const UpdateExpression = updateExpression(words, publishedChanges(context, message.id));
  return {
    Update: { TableName: room.family.table, Key, UpdateExpression, ConditionExpression, ...words.attributes },
  };
}

function publishedChanges(context: RelayContext, id: string): Changes {
  const { mapping, room } = context;
  const { lifecycle, columns } = mapping;
  const nowMs = serverNowMs(room.link);
  const at = (column: MappedColumn) => encodeInstant(new Date(nowMs), column.time ?? ZONED);
  const isFull = context.full.has(id);
  const when = columns.publishedAt?.time && !isFull ? { [columns.publishedAt.name]: at(columns.publishedAt) } : {};
  const kept = room.family.keepPublished;
  const expires =
    kept && !isFull
      ? { [kept.attribute]: { N: String(Math.floor(nowMs / 1000) + Math.round(kept.days * DAY_SECONDS)) } }
      : {};
  const always = { ...leavesIndex(context), ...expires };
  switch (lifecycle.kind) {
    case "timestamp":
      return { [lifecycle.column.name]: at(lifecycle.column), ...always };
    case "flag":
      return { ...when, [lifecycle.column.name]: setFlag(lifecycle.column), ...always };
    case "status":
      return { ...when, [lifecycle.column.name]: wordValue(lifecycle.column, lifecycle.published[0] ?? ""), ...always };
    default:
      throw new Error("An item without a mark of its own cannot be marked.");
  }
}

function setFlag({ type }: MappedColumn): AttributeValue {
  if (type === "N" || type === "number") return { N: "1" };
  return type === "S" || type === "text" ? { S: "true" } : { BOOL: true };
}

/** The item is there, and neither published nor dead by its own attributes. */
function unsentCondition(words: Words, { lifecycle, primaryKey }: OutboxMapping): string {
  const exists = `attribute_exists(${words.name(primaryKey[0]?.name ?? "")})`;
  switch (lifecycle.kind) {
    case "timestamp": {
      const column = words.name(lifecycle.column.name);
      return `${exists} AND (${isBare(words, column).join(" OR ")})`;
    }
    case "flag": {
      const column = words.name(lifecycle.column.name);
      const unset = UNSET.map((value) => words.value(value)).join(", ");
      return `${exists} AND (${[...isBare(words, column), `${column} IN (${unset})`].join(" OR ")})`;
    }
    case "status": {
      const column = words.name(lifecycle.column.name);
      const unsent = [...lifecycle.pending, ...lifecycle.inFlight, ...lifecycle.failed];
      const values = unsent.flatMap((word) => (word === null ? [] : [words.value(wordValue(lifecycle.column, word))]));
      const named = `${column} IN (${values.join(", ")})`;
      if (!unsent.includes(null)) return `${exists} AND ${named}`;
      return `${exists} AND (${[...isBare(words, column), ...(values.length > 0 ? [named] : [])].join(" OR ")})`;
    }
    default:
      return exists;
  }
}

/** Conditions of which one holds if the attribute has no value. */
function isBare(words: Words, column: string): string[] {
  return [`attribute_not_exists(${column})`, `attribute_type(${column}, ${words.value({ S: "NULL" })})`];
}

function stillCondition(words: Words, mapping: OutboxMapping, { version }: Claimed): string {
  const same = isVersion(version) ? isOfVersion(words, version) : [];
  return [`(${unsentCondition(words, mapping)})`, ...same].join(" AND ");
}

/** Changes an item that must still be unsent; without changes, only checks that it is. */
export function changeUnsent(
  { mapping, room }: Pick<RelayContext, "mapping" | "room">,
  message: Claimed,
  changes: Changes,
): TransactWriteItem {
  const Key = keyOf(message.id, mapping) ?? {};
  const words = new Words();
  const ConditionExpression = stillCondition(words, mapping, message);
  const UpdateExpression = updateExpression(words, changes);
  const common = { TableName: room.family.table, Key, ConditionExpression };
  return UpdateExpression === ""
    ? { ConditionCheck: { ...common, ...words.attributes } }
    : { Update: { ...common, UpdateExpression, ...words.attributes } };
}

/**
 * Changes that record a failure in the item's own attributes, for the team's tools. `native`: they also mark it dead.
 */
export function failureChanges(context: RelayContext, entry: TroubleEntry, native: boolean): Changes {
  const { columns, lifecycle } = context.mapping;
  const { outcome, message } = entry;
  const attempts = attemptsAfter(entry);
  const changes: Changes = {};
  if (columns.attempts) changes[columns.attempts.name] = { N: String(attempts) };
  if (columns.lastError && !context.full.has(message.id))
    changes[columns.lastError.name] = { S: outcome.failure.message };
  // With an attempts attribute this is the time of the next attempt; without one it is the producer's schedule.
  if (columns.availableAt && columns.attempts && outcome.kind === "failed") {
    const next = new Date(serverNowMs(context.room.link) + outcome.nextAttemptInMs);
    changes[columns.availableAt.name] = encodeInstant(next, columns.availableAt.time ?? ZONED);
  }
  if (outcome.kind === "dead" && native)
    return { ...changes, ...deadChanges(context.mapping, attemptsItem(context, message)) };
  if (lifecycle.kind === "status") {
    const [failing] = writableWords(lifecycle, "failed");
    if (failing !== undefined) changes[lifecycle.column.name] = wordValue(lifecycle.column, failing);
  }
  return changes;
}

function attemptsItem({ mapping: { columns } }: RelayContext, { attempts }: OutgoingMessage) {
  return columns.attempts ? { [columns.attempts.name]: { N: String(attempts + 1) } } : {};
}
