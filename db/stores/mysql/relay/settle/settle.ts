import { setTimeout as delay } from "node:timers/promises";
import type { Head } from "#db/stores/port/relay/head.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { SettleEntry, SettleRequest, SettleResult } from "#db/stores/port/relay/settle.ts";
import type { DeadRepresentation } from "#db/stores/shared/relay/dead-representation.ts";
import { clearedSuspects, isTrouble, latencies, type TroubleEntry } from "#db/stores/shared/relay/settle-entries.ts";
import { DEADLOCK, errorNumber } from "../../connection/database-error.ts";
import type { Session } from "../../connection/session.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { holdAggregates } from "../claim/pause-filter.ts";
import { forgetSuspects } from "../lease/suspects.ts";
import { hasId, textList } from "../literals.ts";
import { ownName, type RelayContext } from "../relay-context.ts";
import { forgetSql, recordAttempts } from "./attempts.ts";
import { NOW } from "./database-clock.ts";
import { type LockedRows, lockClaimed } from "./lock-claimed.ts";
import { isUpdate, MARK_IGNORED, markStatement } from "./mark-published.ts";
import { alreadyBuried, buryRows, immovableIds } from "./move-dead-rows.ts";
import { recordFailures } from "./record-failures.ts";
import { settleInOneTrip } from "./settle-in-one-trip.ts";

const TRIES = 4;

/**
 * Writes outcomes; see RelayTable.settle. Tries again after a deadlock, of which nothing was written; a lock timeout
 * goes to the settler, which separates locked rows from the others. Throws what still fails after a few tries.
 */
export async function settle(
  context: RelayContext,
  request: SettleRequest,
  dead: () => Promise<DeadRepresentation>,
): Promise<SettleResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = (await settleInOneTrip(context, request)) ?? (await settleByParts(context, request, dead));
      if (context.suspects.size > 0)
        for (const id of clearedSuspects(context.suspects, request.entries)) context.suspects.delete(id);
      return result;
    } catch (error) {
      if (attempt >= TRIES || errorNumber(error) !== DEADLOCK) throw error;
      await delay(5 * 2 ** attempt * Math.random());
    }
  }
}

/**
 * One transaction: lock the claims, mark published messages, record failures, end the claims. The claim rows are the
 * fence: once a takeover or an operator has ended a claim, a late settle writes nothing for it. A changed table fences
 * like a takeover: published messages are not marked and will be published again.
 * Index: primary key of claim.
 */
async function settleByParts(
  context: RelayContext,
  request: SettleRequest,
  dead: () => Promise<DeadRepresentation>,
): Promise<SettleResult> {
  const tokens = [...new Set(request.entries.map((entry) => entry.token))].sort();
  const { endedTokens, lease, afterDoubt } = request;
  const claim = ownName(context.own.claim);
  const ofTerm = (some: readonly string[]) => `token IN ${textList(some)} AND epoch = ${lease.epoch}`;
  const representation = request.entries.some(({ outcome }) => outcome.kind === "dead") ? await dead() : "beside";
  return context.sessions.transaction(
    async (session, [held], close) => {
      const live = new Map(
        (held?.rows ?? []).map(([token, ids]) => [token ?? "", JSON.parse(ids ?? "[]") as string[]]),
      );
      const ours = request.entries.filter((entry) => live.has(entry.token));
      const fenced = request.entries.filter((entry) => !live.has(entry.token)).map((entry) => entry.message.id);
      const published = await settlePublished(context, session, ours, afterDoubt);
      const rest = ours.filter((entry) => entry.outcome.kind !== "published");
      const troubled = await settleTrouble(context, session, { entries: rest, live, dead: representation });
      const replaced = [...published.replaced, ...troubled.replaced];
      // The record belongs to the replaced message, not to the row that now has its id.
      if (replaced.length > 0)
        await session.run(
          forgetSql(
            context,
            replaced.map(({ id }) => id),
          ),
        );
      await shrinkClaims(context, session, { entries: rest, live, endedTokens });
      await forgetSuspects(context, session, clearedSuspects(context.suspects, ours));
      const closed = await close();
      return {
        published: published.entries.map((entry) => entry.message.id),
        fenced: [...fenced, ...troubled.fenced],
        foreign: [...published.foreign, ...troubled.foreign],
        replaced,
        latenciesMs: latencies(published.entries, Number(closed.at(-1)?.rows[0]?.[0])),
      };
    },
    {
      opening: [
        `SELECT token, message_ids FROM ${claim} WHERE ${ofTerm(tokens)} AND ${context.guard.holdsSql} ORDER BY token FOR UPDATE`,
      ],
      closing: [...(endedTokens.length > 0 ? [`DELETE FROM ${claim} WHERE ${ofTerm(endedTokens)}`] : []), NOW],
    },
  );
}

/** Locks before it marks, because the server does not return which rows an UPDATE has changed. */
async function settlePublished(
  context: RelayContext,
  session: Session,
  entries: readonly SettleEntry[],
  afterDoubt: boolean,
): Promise<{ entries: SettleEntry[]; foreign: string[]; replaced: Head[] }> {
  const confirmed = entries.filter((entry) => entry.outcome.kind === "published");
  if (confirmed.length === 0) return { entries: [], foreign: [], replaced: [] };
  const { ours: unsent, replaced } = await lockIfMarked(
    context,
    session,
    confirmed.map((entry) => entry.message),
  );
  if (unsent.size > 0 && context.mark !== "none") await markKept(context, session, [...unsent]);
  const retried = confirmed.filter((entry) => entry.message.retried === true || entry.message.attempts > 0);
  if (retried.length > 0) {
    // The commit in doubt has recorded the attempts of the others.
    const unrecorded = afterDoubt ? retried.filter(({ message }) => unsent.has(message.id)) : retried;
    if (unrecorded.length > 0) await recordAttempts(context, session, unrecorded);
    await session.run(
      forgetSql(
        context,
        retried.map((entry) => entry.message.id),
      ),
    );
  }
  if (afterDoubt) return { entries: confirmed, foreign: [], replaced };
  return {
    entries: confirmed.filter((entry) => unsent.has(entry.message.id)),
    foreign: confirmed.filter((entry) => !unsent.has(entry.message.id)).map((entry) => entry.message.id),
    replaced,
  };
}

/** Throws if the database accepts the mark but leaves one of the rows unchanged; all of them are locked and unsent. */
async function markKept(context: RelayContext, session: Session, ids: readonly string[]): Promise<void> {
  const { changedRows } = await session.run(markStatement(context, hasId(context.mapping, ids)));
  const { marks } = context;
  if (!isUpdate(context) || changedRows === ids.length) {
    if (marks.seen === "nothing") marks.seen = "kept";
    return;
  }
  marks.seen = "ignored";
  throw new Error(MARK_IGNORED);
}

/** Without marks every message is still to be settled, so the table is not read. */
async function lockIfMarked(
  context: RelayContext,
  session: Session,
  messages: readonly OutgoingMessage[],
): Promise<LockedRows> {
  if (context.mark === "none") return { ours: new Set(messages.map(({ id }) => id)), replaced: [] };
  return lockClaimed(context, session, messages);
}

/**
 * Settles failed and dead messages that are still in their claim; one that is not was settled before a doubtful commit.
 */
async function settleTrouble(
  context: RelayContext,
  session: Session,
  input: { entries: readonly SettleEntry[]; live: ReadonlyMap<string, readonly string[]>; dead: DeadRepresentation },
): Promise<{ fenced: string[]; foreign: string[]; replaced: Head[] }> {
  const troubled = input.entries.filter(isTrouble);
  if (troubled.length === 0) return { fenced: [], foreign: [], replaced: [] };
  const ids = troubled.map((entry) => entry.message.id);
  const held = new Set(
    [...new Set(troubled.map(({ token }) => token))].flatMap((token) => input.live.get(token) ?? []),
  );
  const messages = troubled.map((entry) => entry.message);
  const { ours: unsent, replaced } = await lockIfMarked(context, session, messages);
  const ours = troubled.filter(({ message }) => held.has(message.id) && unsent.has(message.id));
  if (ours.length > 0) await writeTrouble(context, session, ours, input.dead);
  return {
    fenced: ids.filter((id) => !held.has(id)),
    foreign: ids.filter((id) => held.has(id) && !unsent.has(id)),
    replaced,
  };
}

async function writeTrouble(
  context: RelayContext,
  session: Session,
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
async function mustStay(context: RelayContext, session: Session, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const buried = await alreadyBuried(context, session, ids);
  return new Set([...buried, ...(await immovableIds(context, session, ids))]);
}

/**
 * Removes unpublished messages from claims that continue, so that they do not show as in flight and operators may act
 * on them. Published ones need no removal: their mark shows it, and rewriting a claim costs more than the mark.
 */
async function shrinkClaims(
  { own }: RelayContext,
  session: Session,
  input: {
    entries: readonly SettleEntry[];
    live: ReadonlyMap<string, readonly string[]>;
    endedTokens: readonly string[];
  },
): Promise<void> {
  const ended = new Set(input.endedTokens);
  const staying = input.entries.filter((entry) => !ended.has(entry.token));
  const settled = new Set(staying.map((entry) => entry.message.id));
  const updates = [...new Set(staying.map((entry) => entry.token))].sort().map((token) => {
    const left = (input.live.get(token) ?? []).filter((id) => !settled.has(id));
    return `UPDATE ${ownName(own.claim)} SET message_ids = ${quoteLiteral(JSON.stringify(left))} WHERE token = ${quoteLiteral(token)}`;
  });
  await session.script(updates);
}
