import type { MessageList, MessageSummary } from "#contracts/message/messages.ts";
import type { Gap, TailReading } from "./tail-state.ts";

/** Rows of a page, and pages of one reading: what arrives faster is counted and not shown. */
export const TAIL_PAGE = 200;
const MOST_PAGES = 2;

/** Reads a page of the list of all states, newest first. */
export type ReadList = (query: {
  cursor?: string;
  from?: string;
  to?: string;
  limit: number;
  count: 0 | 1;
}) => Promise<MessageList>;

export interface ReadTail extends TailReading {
  partial: MessageList["partial"];
}

/**
 * The newest messages, back to one that is known. When none is known after two pages, the messages between are
 * counted and make a gap.
 */
export async function readTail(list: ReadList, known: ReadonlyMap<string, MessageSummary>): Promise<ReadTail> {
  const newest = newestOf(known.values());
  let page = await list({ limit: TAIL_PAGE, count: 0 });
  const { asOf, partial } = page;
  const messages = [...page.messages];
  for (let pages = 1; pages < MOST_PAGES && page.nextCursor !== null && !reaches(messages, known, newest); pages++) {
    page = await list({ cursor: page.nextCursor, limit: TAIL_PAGE, count: 0 });
    messages.push(...page.messages);
  }
  const whole = page.nextCursor === null && page.partial === null;
  const skips = partial?.skipped ?? false;
  if (page.nextCursor === null || reaches(messages, known, newest))
    return { messages, gap: null, whole, skips, asOf, partial };
  return { ...(await withGap(list, messages, known, newest)), whole, skips, asOf, partial };
}

/** The reading goes back to what is known already; the first one always does. */
function reaches(
  messages: readonly MessageSummary[],
  known: ReadonlyMap<string, MessageSummary>,
  newest: string | undefined,
): boolean {
  const last = messages.at(-1)?.createdAt;
  if (known.size === 0 || messages.some(({ id }) => known.has(id))) return true;
  return newest !== undefined && typeof last === "string" && last < newest;
}

/** Rows of the oldest instant read go into the gap, because others of the same instant may not have been read. */
async function withGap(
  list: ReadList,
  messages: readonly MessageSummary[],
  known: ReadonlyMap<string, MessageSummary>,
  newest: string | undefined,
): Promise<{ messages: readonly MessageSummary[]; gap: Gap | null }> {
  const oldest = messages.at(-1)?.createdAt;
  const kept = messages.filter(({ createdAt }) => createdAt !== oldest);
  const to = kept.at(-1)?.createdAt;
  if (newest === undefined || !to) return { messages, gap: { skipped: null, from: newest, to: undefined } };
  const between = [...known.values()].filter(({ createdAt }) => createdAt !== null && createdAt >= newest).length;
  const found = await list({ from: newest, to, limit: 1, count: 1 }).catch(() => null);
  const counted = found?.matching.precision === "exact" ? found.matching.value - between : null;
  if (counted === 0) return { messages: kept, gap: null };
  return { messages: kept, gap: { skipped: counted, from: newest, to } };
}

function newestOf(messages: Iterable<MessageSummary>): string | undefined {
  let newest: string | undefined;
  for (const { createdAt } of messages)
    if (createdAt !== null && (newest === undefined || createdAt > newest)) newest = createdAt;
  return newest;
}
