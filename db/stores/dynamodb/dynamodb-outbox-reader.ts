import { AppError } from "#domain/errors.ts";
import type { MessageRow } from "../port/message-row.ts";
import type { OutboxReader } from "../port/outbox-reader.ts";
import { asking } from "./connection/to-store-error.ts";
import { readBlocked } from "./read/blocked-aggregates.ts";
import { findEach, findMessages, readEventIds } from "./read/find-message.ts";
import { judgeIndexes } from "./read/index-advice.ts";
import { listMessages } from "./read/list-messages.ts";
import { decidedRow } from "./read/read-decision.ts";
import { readFailures } from "./read/read-failures.ts";
import { readFigures } from "./read/read-figures.ts";
import { readMessage, readMessageBytes } from "./read/read-message.ts";
import { hasMessagesOf, readCounters, sampleMessages } from "./read/sample-messages.ts";
import { readStatusValues } from "./read/status-values.ts";
import type { Room } from "./room.ts";

export function createOutboxReader(room: Room): OutboxReader {
  const asked = <T>(work: () => Promise<T>) => asking(`outbox ${room.ref.name}`, work);
  return {
    figures: () => asked(() => readFigures(room)),
    list: (request) => asked(() => listMessages(room, request)),
    message: (id) => asked(() => readMessage(room, id)),
    find: (ids, { decided = false } = {}) => asked(() => findRows(room, ids, decided)),
    eventIds: (ids) => asked(() => readEventIds(room, ids)),
    outgoing: async () => {
      throw new AppError("wrong_state", "Messages of a DynamoDB table cannot be re-published yet.");
    },
    bytes: (id, request) => asked(() => readMessageBytes(room, id, request)),
    failures: (by) => asked(() => readFailures(room, by)),
    failedBy: async () => null,
    blocked: (request) => asked(() => readBlocked(room, request)),
    has: (subject) => asked(() => hasMessagesOf(room, subject)),
    sample: (fields) => asked(() => sampleMessages(room, fields)),
    statusValues: () => asked(() => readStatusValues(room)),
    counters: async () => readCounters(),
    judgeIndexes: () => asked(() => judgeIndexes(room)),
  };
}

async function findRows(room: Room, ids: readonly string[], decided: boolean): Promise<MessageRow[]> {
  if (!decided) return findMessages(room, ids);
  const rows: MessageRow[] = [];
  for (const { message } of await findEach(room, ids)) if (message) rows.push(await decidedRow(room, message));
  return rows;
}
