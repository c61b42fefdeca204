import { withDecision } from "#db/stores/port/seen-version.ts";
import { joinFailures } from "#db/stores/shared/read/failures-read.ts";
import { countOfPartial } from "#db/stores/shared/read/listed-page.ts";
import { NOTHING_RECORDED, recordedIn } from "#db/stores/shared/read/recorded-counts.ts";
import type { FailureGrouping } from "#domain/message/failure-grouping.ts";
import type { FailuresRead } from "../port/failure-groups.ts";
import type { StoredMessage } from "../port/message-detail.ts";
import type { MessageRow } from "../port/message-row.ts";
import type { MessagePage, MessagePageRequest, OutboxReader } from "../port/outbox-reader.ts";
import type { OutboxRef } from "../port/outbox-ref.ts";
import type { Pool } from "./connection/pool.ts";
import type { Session } from "./connection/session.ts";
import type { StorePools } from "./connection/store-pools.ts";
import { asking } from "./connection/to-store-error.ts";
import { withReadTransaction } from "./connection/transaction.ts";
import { readCounters } from "./diagnosis-facts/read-counters.ts";
import { readHistory } from "./own-schema/read-history.ts";
import { judgeIndexes } from "./plans/judge-indexes.ts";
import { withKnownIndexes } from "./plans/known-indexes.ts";
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
import { requireZones } from "./tables/zones.ts";

const PAGE_TIMEOUT_MS = 3000;
const MESSAGE_TIMEOUT_MS = 5000;
const FIGURES_TIMEOUT_MS = 3000;
const HAS_TIMEOUT_MS = 1000;

/** Pages, details and failures come from the replica, if there is one; figures and checks from the primary. */
export function createOutboxReader(pools: StorePools, ref: OutboxRef): OutboxReader {
  const of = `outbox ${ref.name}`;
  const asked = <T>(pool: Pool, timeoutMs: number, work: (session: Session) => Promise<T>) =>
    asking(of, () =>
      withKnownIndexes(ref, () =>
        withReadTransaction(pool, timeoutMs, async (session) => {
          await requireZones(session, ref.mapping);
          return work(session);
        }),
      ),
    );
  const browse = <T>(timeoutMs: number, work: (session: Session) => Promise<T>) =>
    asked(pools.browse(), timeoutMs, work);
  const read = <T>(timeoutMs: number, work: (session: Session) => Promise<T>) => asked(pools.reads(), timeoutMs, work);
  return {
    figures: () => asking(of, () => withKnownIndexes(ref, () => readFigures(pools.reads(), ref))),
    list: (request) => browse(PAGE_TIMEOUT_MS, (session) => readPage(session, ref, request)),
    message: (id) => browse(MESSAGE_TIMEOUT_MS, (session) => readMessage(session, ref, id)),
    find: (ids, { decided = false } = {}) =>
      read(MESSAGE_TIMEOUT_MS, (session) => readMessages(session, ref, ids, decided)),
    eventIds: (ids) => read(FIGURES_TIMEOUT_MS, (session) => readEventIds(session, ref, ids)),
    outgoing: (ids, fields) =>
      read(MESSAGE_TIMEOUT_MS, (session) => readOutgoing(session, ref.mapping, { ids, fields })),
    bytes: (id, request) => browse(MESSAGE_TIMEOUT_MS, (session) => readMessageBytes(session, ref, { id, ...request })),
    failures: (by) => browse(PAGE_TIMEOUT_MS, (session) => readFailures(session, ref, by)),
    failedBy: (ids) => browse(PAGE_TIMEOUT_MS, (session) => readFailedBy(session, ref, ids)),
    blocked: (request) => browse(PAGE_TIMEOUT_MS, (session) => readBlocked(session, ref, request)),
    has: (subject) => read(HAS_TIMEOUT_MS, (session) => hasMessagesOf(session, ref.mapping, subject)),
    sample: (fields) => read(PAGE_TIMEOUT_MS, (session) => sampleMessages(session, ref.mapping, fields)),
    statusValues: () => browse(PAGE_TIMEOUT_MS, (session) => readStatusValues(session, ref)),
    counters: () => read(FIGURES_TIMEOUT_MS, (session) => readCounters(session, ref)),
    judgeIndexes: (relay) => read(FIGURES_TIMEOUT_MS, (session) => judgeIndexes(session, ref, relay)),
  };
}

async function readPage(session: Session, ref: OutboxRef, request: MessagePageRequest): Promise<MessagePage> {
  const page = await listMessages(session, ref, request);
  // A first page that is not full has seen everything a count would see.
  const seenAll = page.partial && request.cursor === undefined && page.rows.length < request.limit;
  const counted = () => (seenAll ? countOfPartial(page.rows.length) : countMatching(session, ref, request.filter));
  const matching = request.count === false ? null : await counted();
  const recordedOnly = recordedIn(
    request.count === false ? NOTHING_RECORDED : await readRecordedOnly(session, ref),
    request.filter.state,
  );
  return { ...page, matching, recordedOnly, asOf: await databaseClock(session) };
}

async function readMessages(
  session: Session,
  ref: OutboxRef,
  ids: readonly string[],
  decided: boolean,
): Promise<MessageRow[]> {
  const rows = await findMessages(session, ref, ids);
  if (!decided) return rows;
  const versioned: MessageRow[] = [];
  for (const row of rows) {
    const decision = row.state === "failed" ? await readDecision(session, ref, { row, place: "table" }) : null;
    versioned.push({ ...row, version: withDecision(row.version, decision) });
  }
  return versioned;
}

async function readMessage(session: Session, ref: OutboxRef, id: string): Promise<StoredMessage | null> {
  const found = await findMessage(session, ref, id);
  if (!found) return null;
  const decision = found.row.state === "failed" ? await readDecision(session, ref, found) : null;
  const row = { ...found.row, version: withDecision(found.row.version, decision) };
  return {
    row,
    content: await readContent(session, ref, found),
    history: await readHistory(session, ref, id),
    ...(await listNeighbours(session, ref, row)),
    laterPublished: row.state === "published" ? null : await countLaterPublished(session, ref, row),
    statement: selectMessageSql(ref.mapping, id),
    asOf: await databaseClock(session),
  };
}

async function readFailures(session: Session, ref: OutboxRef, by: FailureGrouping): Promise<FailuresRead> {
  const kept = await listFailureGroups(session, ref, by);
  const read = joinFailures(kept, await listNativeFailures(session, ref));
  return { ...read, asOf: await databaseClock(session) };
}
