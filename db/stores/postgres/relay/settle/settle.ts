import { setTimeout as delay } from "node:timers/promises";
import type { Head } from "#db/stores/port/relay/head.ts";
import type { Lease } from "#db/stores/port/relay/lease.ts";
import type { SettleEntry, SettleRequest, SettleResult } from "#db/stores/port/relay/settle.ts";
import type { Line, RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import type { DeadRepresentation } from "#db/stores/shared/relay/dead-representation.ts";
import { clearedSuspects, isTrouble, latencies, type TroubleEntry } from "#db/stores/shared/relay/settle-entries.ts";
import { holdAggregates } from "../claim/pause-filter.ts";
import { forgetSuspects } from "../lease/suspects.ts";
import type { RelayContext } from "../relay-context.ts";
import { forgetDelivery, recordAttempts } from "./attempts.ts";
import { lockClaimed } from "./lock-claimed.ts";
import { MARK_IGNORED, type Marked, markPublished, requireKept } from "./mark-published.ts";
import { alreadyBuried, buryRows, immovableIds } from "./move-dead-rows.ts";
import { recordFailures } from "./record-failures.ts";

/**
 * Deadlock and serialisation failure: nothing was written, and a retry may succeed. A lock timeout goes to the settler,
 * which separates locked rows from the others.
 */
const PASSING = new Set(["40P01", "40001"]);
const TRIES = 4;

/** Writes outcomes; see RelayTable.settle. Throws what still fails after a few tries. */
export async function settle(
  context: RelayContext,
  request: SettleRequest,
  dead: DeadRepresentation,
): Promise<SettleResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await settleOnce(context, request, dead);
      if (context.suspects.size > 0)
        for (const id of clearedSuspects(context.suspects, request.entries)) context.suspects.delete(id);
      return result;
    } catch (error) {
      if (attempt >= TRIES || !PASSING.has(errorCode(error) ?? "")) throw error;
      await delay(5 * 2 ** attempt * Math.random());
    }
  }
}

/**
 * One transaction: lock the claims, mark published messages, record failures, end the claims. The claim rows are the
 * fence: once a takeover or an operator has ended a claim, a late settle writes nothing for it.
 * Index: primary key of claim.
 */
async function settleOnce(
  context: RelayContext,
  request: SettleRequest,
  dead: DeadRepresentation,
): Promise<SettleResult> {
  const tokens = tokensOf(request.entries);
  const { endedTokens } = request;
  return context.sessions.transaction({
    opening: [ofClaims("outbox_console_fence", fenceSql(context), tokens, request.lease)],
    closing: [
      ...(endedTokens.length > 0 ? [ofClaims("outbox_console_end", END, endedTokens, request.lease)] : []),
      NOW,
    ],
    work: async (session, [held], close) => {
      const live = new Set((held ?? []).map(([token]) => token));
      const ours =
        live.size === tokens.length ? request.entries : request.entries.filter(({ token }) => live.has(token));
      const fenced = request.entries.filter(({ token }) => !live.has(token)).map(({ message }) => message.id);
      const published = await settlePublished(context, session, ours, request.afterDoubt);
      const rest = ours.filter((entry) => entry.outcome.kind !== "published");
      const troubled = await settleTrouble(context, session, rest, dead);
      const replaced = [...published.replaced, ...troubled.replaced];
      // The record belongs to the replaced message, not to the row that now has its id.
      if (replaced.length > 0)
        await forgetDelivery(
          context,
          session,
          replaced.map(({ id }) => id),
        );
      await shrinkClaims(session, rest, endedTokens);
      await forgetSuspects(context, session, clearedSuspects(context.suspects, ours));
      const closed = await close();
      const now = Number(closed.at(endedTokens.length > 0 ? 1 : 0)?.[0]?.[0]);
      return {
        published: published.entries.map((entry) => entry.message.id),
        fenced: [...fenced, ...troubled.fenced],
        foreign: [...published.foreign, ...troubled.foreign],
        replaced,
        latenciesMs: latencies(published.entries, now),
      };
    },
  });
}

function tokensOf(entries: readonly SettleEntry[]): string[] {
  const tokens = new Set<string>();
  for (const { token } of entries) tokens.add(token);
  return [...tokens].sort();
}

/** A changed table fences like a takeover: published messages are not marked and will be published again. */
function fenceSql({ mappingHolds }: RelayContext): string {
  return `SELECT token FROM outbox_console.claim WHERE token = ANY ($1::uuid[]) AND epoch = $2::bigint AND ${mappingHolds} ORDER BY token FOR UPDATE`;
}
const END = "DELETE FROM outbox_console.claim WHERE token = ANY ($1::uuid[]) AND epoch = $2::bigint";
const NOW: Line = {
  name: "outbox_console_now",
  text: "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8::text",
  values: [],
};

function ofClaims(name: string, text: string, tokens: readonly string[], { epoch }: Lease): Line {
  return { name, text, values: [textArray(tokens), String(epoch)] };
}

async function settlePublished(
  context: RelayContext,
  session: RelaySession,
  entries: readonly SettleEntry[],
  afterDoubt: boolean,
): Promise<{ entries: SettleEntry[]; foreign: string[]; replaced: Head[] }> {
  const confirmed = entries.filter((entry) => entry.outcome.kind === "published");
  if (confirmed.length === 0) return { entries: [], foreign: [], replaced: [] };
  const { marked, replaced } = await markClaimed(context, session, confirmed);
  const updates = context.mark === "column" && context.mapping.lifecycle.kind !== "delete";
  if (updates) await requireKept(context, session, marked);
  const ours = marked.length === confirmed.length ? confirmed : confirmed.filter(isOf(marked));
  const retried = confirmed.filter((entry) => entry.message.retried === true || entry.message.attempts > 0);
  if (retried.length > 0) {
    // The commit in doubt has recorded the attempts of the others.
    const unrecorded = afterDoubt ? retried.filter(isOf(marked)) : retried;
    if (unrecorded.length > 0) await recordAttempts(context, session, unrecorded);
    await forgetDelivery(
      context,
      session,
      retried.map((entry) => entry.message.id),
    );
  }
  if (ours.length === confirmed.length || afterDoubt) return { entries: confirmed, foreign: [], replaced };
  const isMarked = isOf(marked);
  const foreign = confirmed.filter((entry) => !isMarked(entry)).map((entry) => entry.message.id);
  return { entries: ours, foreign, replaced };
}

/**
 * Marks the claimed rows, and returns those that were unsent until then. A row that the first statement did not mark
 * was published, removed or changed by another program, or the database refuses the change; only then are rows
 * compared.
 */
async function markClaimed(
  context: RelayContext,
  session: RelaySession,
  entries: readonly SettleEntry[],
): Promise<{ marked: readonly Marked[]; replaced: Head[] }> {
  const messages = entries.map((entry) => entry.message);
  const { mapping, mark } = context;
  if (mark === "none") return { marked: messages, replaced: [] };
  const marked = await markPublished(session, mapping, messages, mark);
  if (marked.length === messages.length) return { marked, replaced: [] };
  const known = new Set(marked.map(({ id }) => id));
  const left = messages.filter(({ id }) => !known.has(id));
  const { ours, replaced } = await lockClaimed(context, session, left);
  if (ours.size === 0) return { marked, replaced };
  const changed = [...ours].map(([id, version]) => ({ id, version }));
  const then = await markPublished(session, mapping, changed, mark);
  if (then.length < changed.length) throw new Error(MARK_IGNORED);
  return { marked: [...marked, ...then], replaced };
}

function isOf(rows: readonly Marked[]): (entry: SettleEntry) => boolean {
  const ids = new Set(rows.map(({ id }) => id));
  return ({ message }) => ids.has(message.id);
}

/**
 * Settles failed and dead messages that are still in their claim; one that is not was settled before a doubtful commit.
 */
async function settleTrouble(
  context: RelayContext,
  session: RelaySession,
  entries: readonly SettleEntry[],
  dead: DeadRepresentation,
): Promise<{ fenced: string[]; foreign: string[]; replaced: Head[] }> {
  const troubled = entries.filter(isTrouble);
  if (troubled.length === 0) return { fenced: [], foreign: [], replaced: [] };
  const ids = troubled.map((entry) => entry.message.id);
  const inClaim = await session.query(
    "settle-in-claim",
    `SELECT m FROM outbox_console.claim c, unnest(c.message_ids) m
     WHERE c.token = ANY ($1::uuid[]) AND m = ANY ($2::text[])`,
    [textArray(troubled.map((entry) => entry.token)), textArray(ids)],
  );
  const held = new Set(inClaim.rows.map(([id]) => id));
  const messages = troubled.map((entry) => entry.message);
  const locked = context.mark === "none" ? null : await lockClaimed(context, session, messages);
  const unsent = locked?.ours ?? new Set(ids);
  const ours = troubled.filter(({ message }) => held.has(message.id) && unsent.has(message.id));
  if (ours.length > 0) await writeTrouble(context, session, ours, dead);
  return {
    fenced: ids.filter((id) => !held.has(id)),
    foreign: ids.filter((id) => held.has(id) && !unsent.has(id)),
    replaced: locked?.replaced ?? [],
  };
}

async function writeTrouble(
  context: RelayContext,
  session: RelaySession,
  entries: readonly TroubleEntry[],
  dead: DeadRepresentation,
): Promise<void> {
  const doomed = entries.filter((entry) => entry.outcome.kind === "dead").map((entry) => entry.message.id);
  const staying = dead === "move" && doomed.length > 0 ? await mustStay(context, session, doomed) : new Set<string>();
  const beside = entries.filter((entry) => staying.has(entry.message.id));
  const others = entries.filter((entry) => !staying.has(entry.message.id));
  if (beside.length > 0) await recordFailures(context, session, beside, "beside");
  if (others.length > 0) await recordFailures(context, session, others, dead);
  await recordAttempts(context, session, entries);
  await holdAggregates(context, session, entries);
  const moving = dead === "move" ? doomed.filter((id) => !staying.has(id)) : [];
  if (moving.length > 0) await buryRows(context, session, moving);
}

/**
 * Dead messages whose rows must stay in their table: their id is already a dead letter, or the image would not restore
 * them.
 */
async function mustStay(
  context: RelayContext,
  session: RelaySession,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const buried = await alreadyBuried(context, session, ids);
  return new Set([...buried, ...(await immovableIds(context, session, ids))]);
}

/**
 * Removes unpublished messages from claims that continue, so that they do not show as in flight and operators may act
 * on them. Published ones need no removal: their mark shows it, and rewriting a claim costs more than the mark.
 */
async function shrinkClaims(
  session: RelaySession,
  entries: readonly SettleEntry[],
  endedTokens: readonly string[],
): Promise<void> {
  const ended = new Set(endedTokens);
  const staying = entries.filter((entry) => !ended.has(entry.token));
  if (staying.length === 0) return;
  await session.query(
    "settle-shrink",
    `UPDATE outbox_console.claim SET message_ids = ARRAY(SELECT m FROM unnest(message_ids) m WHERE m <> ALL ($2::text[]))
     WHERE token = ANY ($1::uuid[])`,
    [textArray(tokensOf(staying)), textArray(staying.map((entry) => entry.message.id))],
  );
}
