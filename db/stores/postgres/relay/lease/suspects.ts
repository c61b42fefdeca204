import type { OrphanedMessage } from "#db/stores/port/relay/lease.ts";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { MessageOutcome } from "#db/stores/port/relay/settle.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { CRASHES_TO_DEAD_LETTER, ORPHANED_TO_ISOLATE } from "#db/stores/shared/relay/quarantine.ts";
import type { TroubleEntry } from "#db/stores/shared/relay/settle-entries.ts";
import { CRASH } from "#domain/failure.ts";
import { readPlaces } from "../claim/read-positions.ts";
import type { RelayContext } from "../relay-context.ts";
import { recordAttempts } from "../settle/attempts.ts";
import { recordFailures } from "../settle/record-failures.ts";

/** Quarantined messages, least harmful first. */
export const ISOLATED = `SELECT message_id, crashes::text, at::text, identity FROM outbox_console.suspect
  WHERE outbox = $1 AND orphaned >= ${ORPHANED_TO_ISOLATE} ORDER BY crashes, at, message_id`;

/**
 * Records which unsent messages a dead relay had in flight, in the transaction that ends its claims. If a message was
 * alone in flight, only that message is suspected, not the relay's other claims. A relay that begins a new term did not
 * die.
 * Index: primary key of suspect; primary key of the table.
 */
export async function recordOrphans(
  context: RelayContext,
  session: RelaySession,
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
  const { rows: counted } = await session.query("suspect-record", RECORD, [
    context.outbox,
    textArray(kept.map(({ id }) => id)),
    textArray(kept.map(({ alone }) => (alone ? "1" : "0"))),
    textArray(kept.map(({ startedAt }) => startedAt)),
    textArray(kept.map(({ id }) => unsent.get(id)?.identity ?? "")),
  ]);
  const crashes = new Map(counted.map(([id, count]) => [id, Number(count)]));
  for (const { id, alone, owner, startedAt } of kept) {
    const message = unsent.get(id)?.message;
    const count = crashes.get(id) ?? 0;
    if (!alone || !message || count === 0 || count >= CRASHES_TO_DEAD_LETTER) continue;
    await recordCrash(context, session, { message, owner, startedAt: new Date(startedAt) });
  }
}

/**
 * Grouped by id: a message that was given back and claimed again may be in two claims of one term. A row that has the
 * id of an earlier message does not inherit its deaths, except perhaps the last: a claim keeps only ids.
 */
const RECORD = `
INSERT INTO outbox_console.suspect AS s (outbox, message_id, orphaned, crashes, at, identity)
SELECT $1, f.id, 1, max(f.crashes), max(f.at), max(f.identity)
FROM unnest($2::text[], $3::int[], $4::timestamptz[], $5::text[]) AS f(id, crashes, at, identity) GROUP BY f.id
ON CONFLICT (outbox, message_id) DO UPDATE
  SET orphaned = CASE WHEN s.identity <> excluded.identity THEN 1 ELSE s.orphaned + 1 END,
    crashes = CASE WHEN s.identity <> excluded.identity THEN 0 ELSE s.crashes + excluded.crashes END,
    at = excluded.at, identity = excluded.identity
RETURNING message_id, crashes::text`;

/**
 * Records the attempt that the dead relay could not finish. The last one is recorded when the message is dead-lettered.
 */
async function recordCrash(
  context: RelayContext,
  session: RelaySession,
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
  context: RelayContext,
  session: RelaySession,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await session.query(
    "suspect-forget",
    "DELETE FROM outbox_console.suspect WHERE outbox = $1 AND message_id = ANY ($2::text[])",
    [context.outbox, textArray(ids)],
  );
}
