import { MOST_LOOKED_UP } from "#db/stores/port/inbox-reader.ts";
import { decodeMessageId } from "#db/stores/port/message-id.ts";
import type { MessageRow } from "#db/stores/port/message-row.ts";
import {
  type JudgedMessage,
  type Judgement,
  judgeMessages,
  type LookedUp,
  type SeenAs,
} from "#domain/reconciliation/judge.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { InboxHandle, OutboxHandle } from "../runtime.ts";
import type { CheckRun } from "./check-run.ts";
import { keepsProcessed, type Pair } from "./pair.ts";
import { rangeOf } from "./range-of.ts";
import { readWindow } from "./read-window.ts";
import { comparable, otherSpellings } from "./spellings.ts";

/** Messages that stay under watch because an earlier check missed them. */
const MOST_CARRIED = 10_000;
/** Messages that a page lists. */
const MOST_LISTED = 100;

/** Messages found missing before, by id. */
export type Carried = ReadonlyMap<
  string,
  Pick<LookedUp, "firstMissedAt" | "seenBefore" | "seenAs"> & {
    /** When it was last found missing. */
    missedAt: string;
  }
>;

/** One check of an inbox against one of its outboxes. Instants are on the clock of the outbox's database. */
export interface PairCheck {
  asOf: string;
  /** Messages that were looked up: the newest published ones, and earlier ones that were missing before. */
  checked: number;
  /** Creation of the oldest and the newest of the window; null where no column says it, and for an empty one. */
  from: string | null;
  to: string | null;
  /** False if the outbox holds older published messages that were not looked up. */
  whole: boolean;
  processed: number;
  recent: number;
  unknown: number;
  notProcessed: number;
  /** More may be missing than were counted. */
  capped: boolean;
  /** Of the messages not processed. */
  reasons: { absent: number; unprocessed: number; failed: number };
  /** Longest published first; not all of a large number. */
  messages: JudgedMessage[];
  keptSince: string | null;
}

/**
 * Throws what the stores throw, filter_not_indexed where an index is missing. Looks up less if the run is over early.
 */
export async function checkPair(
  pair: Pair,
  carried: Carried,
  run: CheckRun,
): Promise<{ check: PairCheck; carried: Carried }> {
  const { inbox, outbox } = pair;
  const window = await readWindow(outbox, run);
  const inWindow = new Set(window.rows.map(({ id }) => id));
  const earlier = [...carried.keys()].filter((id) => !inWindow.has(id));
  const { rows, eventIds } = await taken(pair, [...(await stillPublished(outbox, earlier, run)), ...window.rows], run);
  const seen = await lookUp(inbox, [...eventIds.values()], run);
  const asOf = seen.asOf === null || window.asOf < seen.asOf ? window.asOf : seen.asOf;
  const keptSince = await readKeptSince(inbox, asOf, run);
  const messages = rows.flatMap((row) => {
    const eventId = eventIds.get(row.id);
    const seenAs = eventId === undefined ? undefined : seen.states.get(comparable(eventId));
    return eventId === undefined || seenAs === undefined
      ? []
      : [lookedUp(row, { eventId, seenAs, before: carried.get(row.id), asOf })];
  });
  const withinSeconds = (inbox.config.processWithin ?? 0) / 1000;
  const judged = judgeMessages({ messages, withinSeconds, keepsProcessed: keepsProcessed(inbox), keptSince, asOf });
  const missed = messages.filter(({ seenAs }) => seenAs !== "processed" && seenAs !== "received");
  const whole = window.whole && !seen.cut;
  const { from, to } = rangeOf(messages.filter(({ id }) => inWindow.has(id)).map(bornAt));
  return {
    check: {
      ...{ asOf, whole, keptSince, from, to, checked: messages.length, capped: !whole },
      ...countsOf(judged),
    },
    carried: new Map(missed.slice(0, MOST_CARRIED).map((message) => [message.id, { ...message, missedAt: asOf }])),
  };
}

type Before = { before: ReturnType<Carried["get"]>; asOf: string };

function lookedUp(row: MessageRow, { before, asOf, ...seen }: Pick<LookedUp, "eventId" | "seenAs"> & Before): LookedUp {
  const { id, eventType, createdAt, publishedAt } = row;
  return {
    ...{ id, eventType, createdAt, publishedAt, ...seen },
    firstMissedAt: before?.firstMissedAt ?? asOf,
    lastMissedAt: before?.missedAt ?? asOf,
    seenBefore: before !== undefined && (before.seenBefore || before.seenAs !== "absent"),
  };
}

function countsOf({ notProcessed, processed, recent, unknown }: Judgement) {
  const countOf = (state: SeenAs) => notProcessed.filter(({ seenAs }) => seenAs === state).length;
  return {
    ...{ processed, recent, unknown, notProcessed: notProcessed.length },
    reasons: { absent: countOf("absent"), unprocessed: countOf("unprocessed"), failed: countOf("failed") },
    messages: notProcessed.slice(0, MOST_LISTED),
  };
}

/** A message that was retried, archived or removed since is not published any more. */
async function stillPublished(outbox: OutboxHandle, ids: readonly string[], run: CheckRun): Promise<MessageRow[]> {
  const { read } = outboxOf(outbox);
  const found = await inBatches(ids, (some) => run.ask(outbox.store, () => read.find(some)));
  return found.flat().filter(({ state }) => state === "published");
}

/** The messages that the consumer takes, with the ids that it records. */
async function taken({ inbox, outbox }: Pair, all: readonly MessageRow[], run: CheckRun) {
  const types = inbox.config.eventTypes;
  const rows = types ? all.filter(({ eventType }) => eventType !== null && types.includes(eventType)) : all;
  const { primaryKey, columns } = outbox.mapping;
  const place = primaryKey.findIndex(({ name }) => name === columns.id.name);
  const ids = rows.map(({ id }) => id);
  if (place >= 0) {
    const eventIds = new Map(ids.map((id) => [id, decodeMessageId(id, primaryKey.length)[place] ?? id]));
    return { rows, eventIds };
  }
  const { read } = outboxOf(outbox);
  const maps = await inBatches(ids, (some) => run.ask(outbox.store, () => read.eventIds(some)));
  return { rows, eventIds: new Map(maps.flatMap((map) => [...map])) };
}

/**
 * The furthest state of each message that was looked up. `asOf`: when the first of them were read. `cut`: some were
 * left out because the run was over.
 */
async function lookUp(inbox: InboxHandle, eventIds: readonly string[], run: CheckRun) {
  const { name, mapping, config, store } = inbox;
  const reader = store.inbox(name, mapping);
  const consumer = mapping.consumer ? (config.consumer ?? null) : null;
  const states = new Map<string, SeenAs>();
  let asOf: string | null = null;
  let cut = false;
  const read = async (messageIds: string[]) => {
    const ask = () => reader.lookUp({ messageIds, consumer });
    const found = await run.ask(store, ask);
    asOf ??= found.asOf;
    for (const { messageId, state } of found.rows) {
      const key = comparable(messageId);
      const known = states.get(key) ?? "absent";
      if (FURTHEST.indexOf(state) < FURTHEST.indexOf(known)) states.set(key, state);
    }
  };
  await inBatches(eventIds, async (some) => {
    cut ||= asOf !== null && run.isOver();
    if (cut) return;
    for (const messageId of some) states.set(comparable(messageId), "absent");
    await read(some);
    const absent = some.filter((messageId) => states.get(comparable(messageId)) === "absent");
    await inBatches(absent.flatMap(otherSpellings), read);
  });
  return { states, asOf: asOf as string | null, cut: cut as boolean };
}

const FURTHEST: readonly SeenAs[] = ["processed", "received", "failed", "unprocessed", "absent"];

/**
 * As configured, otherwise as the oldest processed row shows, moved forward by the time that the inbox's clock is
 * behind.
 */
async function readKeptSince(inbox: InboxHandle, asOf: string, run: CheckRun): Promise<string | null> {
  const { name, mapping, config, store } = inbox;
  if (config.keeps !== undefined) return new Date(Date.parse(asOf) - config.keeps).toISOString();
  if (!keepsProcessed(inbox)) return null;
  const consumer = mapping.consumer ? (config.consumer ?? null) : null;
  const ask = () => store.inbox(name, mapping).oldestDone(consumer);
  const oldest = await run.ask(store, ask);
  if (oldest.at === null) return null;
  const behindMs = Math.max(0, Date.parse(asOf) - Date.parse(oldest.asOf));
  return new Date(Date.parse(oldest.at) + behindMs).toISOString();
}

function bornAt(row: Pick<MessageRow, "createdAt" | "publishedAt"> | undefined): string | null {
  return row?.createdAt ?? row?.publishedAt ?? null;
}

async function inBatches<Value>(all: readonly string[], work: (some: string[]) => Promise<Value>): Promise<Value[]> {
  const answers: Value[] = [];
  for (let from = 0; from < all.length; from += MOST_LOOKED_UP)
    answers.push(await work(all.slice(from, from + MOST_LOOKED_UP)));
  return answers;
}
