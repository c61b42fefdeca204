import type { MessageSummary } from "#contracts/message/messages.ts";

/** Entries kept on the page. */
export const MOST_KEPT = 500;

/** Messages that arrived between two readings and are not shown. */
export interface Gap {
  /** Null where nothing counts them. */
  skipped: number | null;
  /** Bounds of their times of creation. */
  from: string | undefined;
  to: string | undefined;
}

export type TailEntry =
  /** `readAt`: when it was read last; null if by the last reading. */
  | { kind: "message"; message: MessageSummary; readAt: string | null; gone: boolean; fresh: boolean }
  | ({ kind: "gap"; key: string } & Gap);

/** One reading of the newest messages. */
export interface TailReading {
  messages: readonly MessageSummary[];
  /** What arrived since the last reading and is not among `messages`; null if nothing did. */
  gap: Gap | null;
  /** The reading reaches to the end of the list, so a message that is missing has left it. */
  whole: boolean;
  /** The list leaves messages out, so one that is missing may still be there. */
  skips: boolean;
  asOf: string;
}

export interface TailState {
  /** Newest first. */
  shown: readonly TailEntry[];
  /** Arrived while paused, newest first. */
  held: readonly TailEntry[];
  paused: { at: string; why: string } | null;
  /** Undefined before the first reading. */
  asOf: string | undefined;
  /** Messages that arrived with each reading since the first, the oldest first; null where a number is not known. */
  arrivals: readonly { at: string; count: number | null }[];
}

export type TailEvent =
  | { type: "read"; reading: TailReading }
  | { type: "pause"; at: string; why: string }
  | { type: "go on" };

export const EMPTY_TAIL: TailState = { shown: [], held: [], paused: null, asOf: undefined, arrivals: [] };

/** Ids on the page, shown or held. */
export function knownMessages({ shown, held }: TailState): Map<string, MessageSummary> {
  const messages = [...held, ...shown].flatMap((entry) => (entry.kind === "message" ? [entry.message] : []));
  return new Map(messages.map((message) => [message.id, message]));
}

export function changeTail(state: TailState, event: TailEvent): TailState {
  if (event.type === "pause") return state.paused ? state : { ...state, paused: { at: event.at, why: event.why } };
  if (event.type === "read") return read(state, event.reading);
  const held = state.held.map((entry) => (entry.kind === "message" ? { ...entry, fresh: false } : entry));
  return { ...state, shown: trim([...held, ...state.shown]), held: [], paused: null };
}

/** Rows change in place; new ones go to the top, or are held while the tail is paused. Nothing else moves. */
function read(state: TailState, reading: TailReading): TailState {
  const known = knownMessages(state);
  const { asOf } = reading;
  const first = state.asOf === undefined;
  const news: TailEntry[] = reading.messages
    .filter(({ id }) => !known.has(id))
    .map((message) => ({ kind: "message", message, readAt: null, gone: false, fresh: !first }));
  const count =
    reading.gap === null ? news.length : reading.gap.skipped === null ? null : news.length + reading.gap.skipped;
  if (reading.gap !== null) news.push({ kind: "gap", key: asOf, ...reading.gap });
  const renewed = renewer(reading, state.asOf ?? asOf);
  const shown = state.shown.map(renewed);
  const held = state.held.map(renewed);
  const arrivals = first ? [] : [...state.arrivals, { at: asOf, count }].slice(-120);
  if (state.paused) return { ...state, asOf, arrivals, shown, held: trimHeld([...news, ...held]) };
  return { ...state, asOf, arrivals, shown: trim([...news, ...shown]), held };
}

/**
 * Brings an entry up to the reading; one that it should contain and does not has left the list. An entry that did not
 * change stays the same object, so that its row is not drawn again.
 */
function renewer({ messages, whole, skips }: TailReading, lastAsOf: string): (entry: TailEntry) => TailEntry {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const oldest = messages.at(-1)?.createdAt ?? null;
  return (entry) => {
    if (entry.kind === "gap") return entry;
    const message = byId.get(entry.message.id);
    if (message)
      return isSame(entry, message) ? entry : { kind: "message", message, readAt: null, gone: false, fresh: false };
    const { createdAt } = entry.message;
    const covered = !skips && (whole || (oldest !== null && createdAt !== null && createdAt > oldest));
    if (entry.readAt !== null && !entry.fresh && entry.gone === covered) return entry;
    return { ...entry, gone: entry.gone || covered, fresh: false, readAt: entry.readAt ?? lastAsOf };
  };
}

function isSame(entry: Extract<TailEntry, { kind: "message" }>, next: MessageSummary): boolean {
  const { message, readAt, gone, fresh } = entry;
  const unchanged =
    message.version === next.version && message.state === next.state && message.blockedBy === next.blockedBy;
  return unchanged && readAt === null && !gone && !fresh;
}

function trim(entries: readonly TailEntry[]): readonly TailEntry[] {
  return entries.length <= MOST_KEPT ? entries : entries.slice(0, MOST_KEPT);
}

/** What does not fit while the tail is paused becomes a gap above what is shown. */
function trimHeld(entries: readonly TailEntry[]): readonly TailEntry[] {
  if (entries.length <= MOST_KEPT) return entries;
  const dropped = entries.slice(MOST_KEPT - 1);
  const times = dropped.flatMap((entry) =>
    entry.kind === "message" ? (entry.message.createdAt ?? []) : (entry.from ?? []),
  );
  const newest = dropped.find((entry) => entry.kind === "message");
  const gap: TailEntry = {
    kind: "gap",
    key: "held",
    skipped: countOf(dropped),
    from: times.sort()[0],
    to: newest?.kind === "message" ? nextAfter(entries, MOST_KEPT - 2) : undefined,
  };
  return [...entries.slice(0, MOST_KEPT - 1), gap];
}

function nextAfter(entries: readonly TailEntry[], last: number): string | undefined {
  const entry = entries[last];
  return entry?.kind === "message" ? (entry.message.createdAt ?? undefined) : undefined;
}

/** Messages that these entries stand for; null if one of them does not know. */
export function countOf(entries: readonly TailEntry[]): number | null {
  let count = 0;
  for (const entry of entries) {
    if (entry.kind === "message") count += 1;
    else if (entry.skipped === null) return null;
    else count += entry.skipped;
  }
  return count;
}

/** Messages a second in the last minute; null before ten seconds of readings, or if a number is not known. */
export function rateOf({ arrivals, asOf }: TailState): number | null {
  const endMs = Date.parse(asOf ?? "");
  const recent = arrivals.filter(({ at }) => Date.parse(at) > endMs - 60_000);
  const [first] = recent;
  if (first === undefined || recent.some(({ count }) => count === null)) return null;
  const seconds = (endMs - Date.parse(first.at)) / 1000;
  if (seconds < 10) return null;
  return recent.slice(1).reduce((sum, { count }) => sum + (count ?? 0), 0) / seconds;
}
