import type { OrphanedMessage } from "#db/stores/port/relay/lease.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { MessageOutcome } from "#db/stores/port/relay/settle.ts";
import { CRASHES_TO_DEAD_LETTER, ORPHANED_TO_ISOLATE } from "#db/stores/shared/relay/quarantine.ts";
import type { TroubleEntry } from "#db/stores/shared/relay/settle-entries.ts";
import { CRASH } from "#domain/failure.ts";
import { datetimeOf } from "../../connection/instant.ts";
import type { Session } from "../../connection/session.ts";
import { quoteLiteral } from "../../tables/mapping-sql.ts";
import { type Place, readPlaces } from "../claim/read-positions.ts";
import { textList } from "../literals.ts";
import { ownName, type RelayContext } from "../relay-context.ts";
import { recordAttempts } from "../settle/attempts.ts";
import { recordFailures } from "../settle/record-failures.ts";

/** Quarantined messages, least harmful first. */
export function isolatedStatement({ own, outbox }: RelayContext): string {
  return `SELECT message_id, crashes, at, identity FROM ${ownName(own.suspect)}
    WHERE outbox = ${quoteLiteral(outbox)} AND orphaned >= ${ORPHANED_TO_ISOLATE} ORDER BY crashes, at, message_id`;
}

/**
 * Records which unsent messages a dead relay had in flight, in the transaction that ends its claims. If a message was
 * alone in flight, only that message is suspected, not the relay's other claims. A relay that begins a new term did not
 * die.
 * Index: primary key of suspect; primary key of the table.
 */
export async function recordOrphans(
  context: RelayContext,
  session: Session,
  orphaned: readonly OrphanedMessage[],
  newOwner: string,
): Promise<void> {
  const dead = orphaned.filter(({ owner }) => owner !== newOwner);
  const diedAlone = new Set(dead.filter(({ alone }) => alone).map(({ owner }) => owner));
  const accused = dead.filter(({ owner, alone }) => alone || !diedAlone.has(owner));
  const ids = accused.map(({ id }) => id);
  const places = await readPlaces(context, session, { ids });
  const unsent = new Map(places.map((place) => [place.message.id, place]));
  const kept = accused.filter(({ id }) => unsent.has(id));
  if (kept.length === 0) return;
  const [, counted] = await session.script([recordStatement(context, kept, unsent), crashesStatement(context, kept)]);
  const crashes = new Map((counted?.rows ?? []).map(([id, count]) => [id, Number(count)]));
  for (const { id, alone, owner, startedAt } of kept) {
    const message = unsent.get(id)?.message;
    const count = crashes.get(id) ?? 0;
    if (!alone || !message || count === 0 || count >= CRASHES_TO_DEAD_LETTER) continue;
    await recordCrash(context, session, { message, owner, startedAt: new Date(startedAt) });
  }
}

/**
 * One record per message: one that was given back and claimed again may be in two claims of one term. A row that reuses
 * the id of an earlier message does not inherit its deaths. This last death may still be the earlier message's, because
 * a claim stores only ids.
 */
function recordStatement(
  { own, outbox }: RelayContext,
  kept: readonly OrphanedMessage[],
  unsent: ReadonlyMap<string, Place>,
): string {
  const suspects = new Map<string, { crashes: number; at: string }>();
  for (const { id, alone, startedAt } of kept) {
    const known = suspects.get(id);
    const at = known && known.at > startedAt ? known.at : startedAt;
    suspects.set(id, { crashes: Math.max(known?.crashes ?? 0, alone ? 1 : 0), at });
  }
  const values = [...suspects].map(([id, { crashes, at }]) => {
    const texts = [datetimeOf(at), unsent.get(id)?.identity ?? ""].map(quoteLiteral);
    return `(${quoteLiteral(outbox)}, ${quoteLiteral(id)}, 1, ${crashes}, ${texts.join(", ")})`;
  });
  // The server assigns in this order. `identity` comes last, because the others compare with its old value.
  return `INSERT INTO ${ownName(own.suspect)} (outbox, message_id, orphaned, crashes, at, identity) VALUES ${values.join(", ")}
    ON DUPLICATE KEY UPDATE orphaned = IF(identity <> VALUES(identity), 1, orphaned + 1),
      crashes = IF(identity <> VALUES(identity), 0, crashes + VALUES(crashes)), at = VALUES(at), identity = VALUES(identity)`;
}

function crashesStatement({ own, outbox }: RelayContext, kept: readonly OrphanedMessage[]): string {
  return `SELECT message_id, crashes FROM ${ownName(own.suspect)}
    WHERE outbox = ${quoteLiteral(outbox)} AND message_id IN ${textList(kept.map(({ id }) => id))}`;
}

/**
 * Records the attempt that the dead relay could not finish. The last one is recorded when the message is dead-lettered.
 */
async function recordCrash(
  context: RelayContext,
  session: Session,
  input: { message: OutgoingMessage; owner: string; startedAt: Date },
): Promise<void> {
  const outcome: MessageOutcome & { kind: "failed" } = {
    kind: "failed",
    startedAt: input.startedAt,
    durationMs: null,
    failure: CRASH,
    nextAttemptInMs: 0,
  };
  const entry: TroubleEntry = { token: "", message: input.message, outcome };
  await recordFailures(context, session, [entry], "beside");
  await recordAttempts({ ...context, relayId: input.owner }, session, [entry]);
}

/** Clears suspects: any outcome shows that the message did not kill the relay. Index: primary key of suspect. */
export async function forgetSuspects(
  { own, outbox }: RelayContext,
  session: Session,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await session.run(
    `DELETE FROM ${ownName(own.suspect)} WHERE outbox = ${quoteLiteral(outbox)} AND message_id IN ${textList(ids)}`,
  );
}
