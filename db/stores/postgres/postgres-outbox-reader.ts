import type { PoolClient } from "pg";
import { joinFailures } from "#db/stores/shared/read/failures-read.ts";
import { countOfPartial } from "#db/stores/shared/read/listed-page.ts";
import { NOTHING_RECORDED, recordedIn } from "#db/stores/shared/read/recorded-counts.ts";
import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import type { FailuresRead } from "../port/failure-groups.ts";
import type { StoredMessage } from "../port/message-detail.ts";
import type { MessageRow } from "../port/message-row.ts";
import type { MessagePage, MessagePageRequest, OutboxReader } from "../port/outbox-reader.ts";
import type { OutboxRef } from "../port/outbox-ref.ts";
import { withDecision } from "../port/seen-version.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction } from "./connection/transaction.ts";
import { readCounters } from "./diagnosis-facts/read-counters.ts";
import { readHistory } from "./own-schema/read-history.ts";
import { judgeIndexes } from "./plans/judge-indexes.ts";
import { readBlocked } from "./read/blocked-aggregates.ts";
import { readFailedBy } from "./read/failed-by.ts";
import { listFailureGroups, listNativeFailures } from "./read/failure-groups.ts";
import { findMessage, readContent } from "./read/find-message.ts";
import { findMessages, readEventIds } from "./read/find-messages.ts";
import { hasMessagesOf } from "./read/has-messages-of.ts";
import { countLaterPublished } from "./read/later-published.ts";
import { countMatching, listMessages } from "./read/list-messages.ts";
import { listNeighbours } from "./read/list-neighbours.ts";
import { readDecision } from "./read/read-decision.ts";
import { readFigures } from "./read/read-figures.ts";
import { readMessageBytes } from "./read/read-message-bytes.ts";
import { readOutgoing } from "./read/read-outgoing.ts";
import { databaseClock } from "./read/read-waiting.ts";
import { readRecordedOnly } from "./read/recorded-only.ts";
import { sampleMessages } from "./read/sample-messages.ts";
import { selectMessageSql } from "./read/select-message-sql.ts";
import { readStatusValues } from "./read/status-values.ts";

const PAGE_TIMEOUT_MS = 3000;
const MESSAGE_TIMEOUT_MS = 5000;
const FIGURES_TIMEOUT_MS = 3000;

/** Pages, details and failures come from the replica, if there is one; figures and checks from the primary. */
export function createOutboxReader(pools: StorePools, ref: OutboxRef): OutboxReader {
  const of = `outbox ${ref.name}`;
  const browse = <T>(timeoutMs: number, work: (client: PoolClient) => Promise<T>) =>
    asking(of, () => withReadTransaction(pools.browse(), timeoutMs, work));
  const read = <T>(work: (client: PoolClient) => Promise<T>) =>
    asking(of, () => withReadTransaction(pools.reads(), FIGURES_TIMEOUT_MS, work));
  return {
    figures: () => asking(of, () => readFigures(pools.reads(), ref)),
    list: (request) => browse(PAGE_TIMEOUT_MS, (client) => readPage(client, ref, request)),
    message: (id) => browse(MESSAGE_TIMEOUT_MS, (client) => readMessage(client, ref, id)),
    find: (ids, { decided = false } = {}) => read((client) => readMessages(client, ref, ids, decided)),
    eventIds: (ids) => read((client) => readEventIds(client, ref, ids)),
    outgoing: (ids, fields) => read((client) => readOutgoing(client, ref.mapping, { ids, fields })),
    bytes: (id, request) => browse(MESSAGE_TIMEOUT_MS, (client) => readMessageBytes(client, ref, { id, ...request })),
    failures: (by) => browse(PAGE_TIMEOUT_MS, (client) => readFailures(client, ref, by)),
    failedBy: (ids) => browse(PAGE_TIMEOUT_MS, (client) => readFailedBy(client, ref, ids)),
    blocked: (request) => browse(PAGE_TIMEOUT_MS, (client) => readBlocked(client, ref, request)),
    has: (subject) => asking(of, () => hasMessagesOf(pools.reads(), ref.mapping, subject)),
    sample: (fields) => asking(of, () => sampleMessages(pools.reads(), ref.mapping, fields)),
    statusValues: () => browse(PAGE_TIMEOUT_MS, (client) => readStatusValues(client, ref)),
    counters: () => read((client) => readCounters(client, ref)),
    judgeIndexes: (relay) => read((client) => judgeIndexes(client, ref, relay)),
  };
}

async function readPage(client: PoolClient, ref: OutboxRef, request: MessagePageRequest): Promise<MessagePage> {
  const page = await listMessages(client, ref, request);
  // A first page that is not full has seen everything a count would see.
  const seenAll = page.partial && request.cursor === undefined && page.rows.length < request.limit;
  const counted = () => (seenAll ? countOfPartial(page.rows.length) : countMatching(client, ref, request.filter));
  const matching = request.count === false ? null : await counted();
  const recordedOnly = recordedIn(
    request.count === false ? NOTHING_RECORDED : await readRecordedOnly(client, ref),
    request.filter.state,
  );
  return { ...page, matching, recordedOnly, asOf: await databaseClock(client) };
}

async function readMessages(
  client: PoolClient,
  ref: OutboxRef,
  ids: readonly string[],
  decided: boolean,
): Promise<MessageRow[]> {
  const rows: MessageRow[] = [];
  for (const found of await findMessages(client, ref, ids)) {
    const decision = decided && found.row.state === "failed" ? await readDecision(client, ref, found) : null;
    rows.push({ ...found.row, version: withDecision(found.row.version, decision) });
  }
  return rows;
}

async function readMessage(client: PoolClient, ref: OutboxRef, id: string): Promise<StoredMessage | null> {
  const found = await findMessage(client, ref, id);
  if (!found) return null;
  const decision = found.row.state === "failed" ? await readDecision(client, ref, found) : null;
  const row = { ...found.row, version: withDecision(found.row.version, decision) };
  return {
    row,
    content: await readContent(client, ref, found),
    history: await readHistory(client, ref, id),
    ...(await listNeighbours(client, ref, row)),
    laterPublished: row.state === "published" ? null : await countLaterPublished(client, ref, row),
    statement: selectMessageSql(ref.mapping, id),
    asOf: await databaseClock(client),
  };
}

async function readFailures(client: PoolClient, ref: OutboxRef, by: FailureGrouping): Promise<FailuresRead> {
  const kept = await listFailureGroups(client, ref, by);
  const read = joinFailures(kept, await listNativeFailures(client, ref));
  return { ...read, asOf: await databaseClock(client) };
}
