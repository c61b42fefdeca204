import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { SettleRequest, SettleResult } from "#db/stores/port/relay/settle.ts";
import { latencies } from "#db/stores/shared/relay/settle-entries.ts";
import type { Result } from "../../connection/link.ts";
import { failUnless, isFailed } from "../fail-unless.ts";
import { textList } from "../literals.ts";
import { ownName, type RelayContext } from "../relay-context.ts";
import { isRowOf } from "../row-version.ts";
import { NOW } from "./database-clock.ts";
import { isUpdate, markStatement } from "./mark-published.ts";

/**
 * Most rows of one UPDATE: what MySQL plans of a key of several columns grows with the square, to 3.5 s for 5,000 rows
 * (8.0.15).
 */
const MARKED_AT_ONCE = 1000;

/**
 * Settles messages that were all published at their first attempt, in one round trip. Null if that is not so, or if a
 * claim is gone, or a row is not unsent any more: then nothing was written, and the parts are settled one by one.
 * Index: primary key of claim; the table's primary key.
 */
export async function settleInOneTrip(context: RelayContext, request: SettleRequest): Promise<SettleResult | null> {
  const { entries, endedTokens, lease } = request;
  const isProven = context.mark === "none" || context.marks.seen === "kept";
  if (request.afterDoubt || !isProven || !entries.every((entry) => isPlain(context, entry))) return null;
  const tokens = [...new Set(entries.map((entry) => entry.token))];
  const messages = entries.map((entry) => entry.message);
  const ids = messages.map(({ id }) => id);
  const claim = ownName(context.own.claim);
  const ofTerm = (some: readonly string[]) => `token IN ${textList(some)} AND epoch = ${lease.epoch}`;
  const { names, holds, passed } = context.guard.required;
  const held = failUnless(`COUNT(*) = ${tokens.length} AND ${holds}`);
  const fence = [...names, `SELECT ${held} FROM ${claim} WHERE ${ofTerm(tokens)} FOR UPDATE`];
  const slices = context.mark === "none" ? [] : slicesOf(messages);
  try {
    const results = await context.sessions.once([
      ...fence,
      ...slices.flatMap((slice) => [
        markStatement(context, isRowOf(context, slice)),
        `SELECT ${failUnless(`ROW_COUNT() = ${slice.length}`)}`,
      ]),
      ...(endedTokens.length > 0 ? [`DELETE FROM ${claim} WHERE ${ofTerm(endedTokens)}`] : []),
      NOW,
    ]);
    passed();
    for (const [index, slice] of slices.entries()) noteKept(context, results[fence.length + index * 2], slice.length);
    const now = Number(results.at(-1)?.rows[0]?.[0]);
    return { published: ids, fenced: [], foreign: [], replaced: [], latenciesMs: latencies(entries, now) };
  } catch (error) {
    if (isFailed(error)) return null;
    throw error;
  }
}

function slicesOf(messages: readonly OutgoingMessage[]): OutgoingMessage[][] {
  const count = Math.ceil(messages.length / MARKED_AT_ONCE);
  return Array.from({ length: count }, (_, index) =>
    messages.slice(index * MARKED_AT_ONCE, (index + 1) * MARKED_AT_ONCE),
  );
}

/**
 * ROW_COUNT() counts the rows found, so a trigger that leaves a row unchanged is noticed only after the commit. These
 * messages are sent once more, and from then on each mark is verified before its commit.
 */
function noteKept(context: RelayContext, marked: Result | undefined, count: number): void {
  if (isUpdate(context) && marked?.changedRows !== count) context.marks.seen = "ignored";
}

/** True for a published message of which our records have only the claim. */
function isPlain({ suspects }: RelayContext, { message, outcome }: SettleRequest["entries"][number]): boolean {
  return (
    outcome.kind === "published" && message.retried !== true && message.attempts === 0 && !suspects.has(message.id)
  );
}
