import type { PauseEntry } from "#db/stores/port/relay/pause-entry.ts";
import type { RelaySession } from "#db/stores/postgres/connection/sessions.ts";
import { textArray } from "#db/stores/postgres/connection/text-array.ts";
import { columnSql, instantText } from "#db/stores/postgres/tables/mapping-sql.ts";
import {
  HOLD_SCOPE,
  holdReason,
  pauseScope,
  pausesInForce,
  withheldTypes,
} from "#db/stores/shared/relay/pauses-in-force.ts";
import type { TroubleEntry } from "#db/stores/shared/relay/settle-entries.ts";
import { aggregateKey, type RelayContext, type StatementContext } from "../relay-context.ts";

const IN_FORCE = "outbox = $1 AND (until IS NULL OR until > clock_timestamp())";

/** Changes whenever an active pause changes, so that thousands of pauses are read only then. */
const DIGEST = `SELECT count(*) || ' ' || coalesce(sum(hashtextextended(concat_ws(' ', scope, subject, at, until, message_id), 0)), 0)
  FROM outbox_console.pause WHERE ${IN_FORCE}`;

/** Active pauses, expired ones excluded. Index: primary key of pause. */
export async function readPauses(context: RelayContext): Promise<readonly PauseEntry[]> {
  const { rows } = await context.sessions.single("pauses-digest", DIGEST, [context.outbox]);
  const digest = rows[0]?.[0] ?? "";
  if (digest === context.paused.digest) return context.paused.entries;
  context.paused = pausesInForce(digest, await readEntries(context));
  return context.paused.entries;
}

async function readEntries(context: RelayContext): Promise<PauseEntry[]> {
  const { rows } = await context.sessions.single(
    "pauses",
    `SELECT CASE scope WHEN '${HOLD_SCOPE}' THEN 'aggregate' ELSE scope END, subject, reason, by, ${instantText("until")}, message_id
     FROM outbox_console.pause WHERE ${IN_FORCE}`,
    [context.outbox],
  );
  return rows.map(([scope, subject, reason, by, until, messageId]) => ({
    scope: pauseScope(scope),
    subject: subject ?? "",
    reason: reason ?? "",
    by: by ?? "",
    until: until ?? null,
    messageId: messageId ?? null,
  }));
}

/**
 * SQL: true if a read may return row `o` while event types are paused. Paused rows with an aggregate are returned once,
 * so the relay learns that the aggregate must wait and later messages do not overtake. Paused rows without one stay in
 * the table.
 */
export function typeGoesSql(context: StatementContext, parameter: number): string {
  const { eventType } = context.mapping.columns;
  if (!eventType) return "true";
  const paused = `${columnSql(eventType, "o")}::text = ANY ($${parameter}::text[])`;
  return `(cardinality($${parameter}::text[]) = 0 OR (${paused} AND ${aggregateKey(context)} IS NULL) IS NOT TRUE)`;
}

/** The parameter of `typeGoesSql`; none if the table has no event types. */
export function pausedTypes(context: StatementContext): string[] {
  return context.mapping.columns.eventType ? [textArray(withheldTypes(context))] : [];
}

const HOLD = `
INSERT INTO outbox_console.pause (outbox, scope, subject, reason, by, message_id)
SELECT $1, '${HOLD_SCOPE}', h.subject, h.reason, 'relay', h.message_id
FROM json_to_recordset($2::json) AS h(subject text, reason text, message_id text)
ON CONFLICT (outbox, scope, subject) DO NOTHING`;

/**
 * With `onDead: hold`, holds the aggregate of a dead message until an operator decides about it; the hold survives
 * restarts and changes of owner. Written by the settle that marks the message dead. Index: primary key of pause.
 */
export async function holdAggregates(
  context: RelayContext,
  session: RelaySession,
  entries: readonly TroubleEntry[],
): Promise<void> {
  if (context.onDead !== "hold") return;
  const holds = new Map<string, { subject: string; reason: string; message_id: string }>();
  for (const { message, outcome } of entries) {
    const { aggregateKey: subject, id } = message;
    if (outcome.kind !== "dead" || subject === null || holds.has(subject)) continue;
    holds.set(subject, { subject, reason: holdReason(message, outcome.failure.message), message_id: id });
  }
  if (holds.size > 0) await session.query("hold", HOLD, [context.outbox, JSON.stringify([...holds.values()])]);
}
