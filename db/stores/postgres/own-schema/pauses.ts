import type { Pool, PoolClient } from "pg";
import type { PartialPauses, PauseRow, PauseSubject } from "../../port/pauses.ts";
import { instantText } from "../tables/mapping-sql.ts";

type Queryable = Pick<Pool | PoolClient, "query">;

const MOST_LISTED = 200;
const IN_FORCE = "(until IS NULL OR until > clock_timestamp())";
const COLUMNS = `outbox, CASE scope WHEN 'hold' THEN 'aggregate' ELSE scope END AS scope, subject, reason, by,
  ${instantText("at")} AS at, ${instantText("until")} AS until, message_id AS "messageId"`;

/** The active pause of the whole outbox; null if there is none. Index: primary key of pause. */
export async function readPauseRow(db: Queryable, outbox: string): Promise<PauseRow | null> {
  const result = await db.query<PauseRow>(
    `SELECT ${COLUMNS} FROM outbox_console.pause WHERE outbox = $1 AND scope = 'outbox' AND ${IN_FORCE}`,
    [outbox],
  );
  return result.rows[0] ?? null;
}

/** Active pauses, at most 200: of the whole outbox first, then the newest. `total` counts all. */
export async function listPauseRows(db: Queryable, outbox: string): Promise<{ pauses: PauseRow[]; total: number }> {
  const result = await db.query<PauseRow & { total: number }>(
    `SELECT ${COLUMNS}, count(*) OVER ()::int AS total FROM outbox_console.pause p WHERE outbox = $1 AND ${IN_FORCE}
     ORDER BY p.scope <> 'outbox', p.at DESC, subject LIMIT ${MOST_LISTED}`,
    [outbox],
  );
  const pauses = result.rows.map(({ total: _, ...row }) => row);
  return { pauses, total: result.rows[0]?.total ?? 0 };
}

/** Number of active pauses and holds by scope. Index: primary key of pause. */
export async function countPartialPauses(db: Queryable, outbox: string): Promise<PartialPauses> {
  const result = await db.query<PartialPauses>(
    `SELECT count(*) FILTER (WHERE scope = 'event_type')::int AS "eventTypes",
       count(*) FILTER (WHERE scope = 'aggregate')::int AS aggregates,
       count(*) FILTER (WHERE scope = 'hold')::int AS holds,
       coalesce((array_agg(subject ORDER BY at) FILTER (WHERE scope = 'event_type'))[1:3], '{}') AS "typeNames"
     FROM outbox_console.pause WHERE outbox = $1 AND ${IN_FORCE}`,
    [outbox],
  );
  return result.rows[0] ?? { eventTypes: 0, aggregates: 0, holds: 0, typeNames: [] };
}

/** Active pauses of the message's type or aggregate, the last to end first. */
export async function readPausesOf(
  db: Queryable,
  message: { outbox: string; eventType: string | null; aggregateKey: string | null },
): Promise<PauseRow[]> {
  const result = await db.query<PauseRow>(
    `SELECT ${COLUMNS} FROM outbox_console.pause
     WHERE outbox = $1 AND ${IN_FORCE} AND (scope = 'event_type' AND subject = $2 OR scope IN ('aggregate', 'hold') AND subject = $3)
     ORDER BY pause.until DESC NULLS FIRST`,
    [message.outbox, message.eventType, message.aggregateKey],
  );
  return result.rows;
}

/** Pauses, or replaces the active pause. */
export async function writePause(
  db: Queryable,
  pause: PauseSubject & { reason: string; by: string; minutes: number | null },
): Promise<void> {
  await db.query(
    `INSERT INTO outbox_console.pause (outbox, scope, subject, reason, by, until) VALUES ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(mins => $6))
     ON CONFLICT (outbox, scope, subject) DO UPDATE SET reason = excluded.reason, by = excluded.by, at = clock_timestamp(), until = excluded.until`,
    [pause.outbox, pause.scope, pause.subject, pause.reason, pause.by, pause.minutes],
  );
}

/** Ends a pause; for an aggregate also the relay's own hold. True if one was active. */
export async function deletePause(db: Queryable, { outbox, scope, subject }: PauseSubject): Promise<boolean> {
  const scopes = scope === "aggregate" ? ["aggregate", "hold"] : [scope];
  const result = await db.query(
    `DELETE FROM outbox_console.pause WHERE outbox = $1 AND scope = ANY ($2::text[]) AND subject = $3
       AND (until IS NULL OR until > clock_timestamp())`,
    [outbox, scopes, subject],
  );
  return (result.rowCount ?? 0) > 0;
}
