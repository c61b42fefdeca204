import { and, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { PartialPauses, PauseRow, PauseSubject } from "../../port/pauses.ts";
import type { OwnTables, Session } from "../connection/session.ts";
import { asNumber, NOW } from "../tables/column-values.ts";

const MOST_LISTED = 200;
const MOST_TYPE_NAMES = 3;

type Pause = OwnTables["pause"];

const inForce = ({ until }: Pause): SQL => sql`(${until} IS NULL OR ${until} > ${NOW})`;

const columns = (pause: Pause) => ({
  outbox: pause.outbox,
  scope: sql<PauseRow["scope"]>`CASE ${pause.scope} WHEN 'hold' THEN 'aggregate' ELSE ${pause.scope} END`,
  subject: pause.subject,
  reason: pause.reason,
  by: pause.by,
  at: pause.at,
  until: pause.until,
  messageId: pause.messageId,
});

/** The active pause of the whole outbox; null if there is none. Index: primary key of pause. */
export async function readPauseRow({ db, own: { pause } }: Session, outbox: string): Promise<PauseRow | null> {
  const [row] = await db
    .select(columns(pause))
    .from(pause)
    .where(and(eq(pause.outbox, outbox), eq(pause.scope, "outbox"), inForce(pause)));
  return row ?? null;
}

/** Active pauses, at most 200: of the whole outbox first, then the newest. `total` counts all. */
export async function listPauseRows(
  { db, own: { pause } }: Session,
  outbox: string,
): Promise<{ pauses: PauseRow[]; total: number }> {
  const active = and(eq(pause.outbox, outbox), inForce(pause));
  const pauses = await db
    .select(columns(pause))
    .from(pause)
    .where(active)
    .orderBy(sql`${pause.scope} <> 'outbox'`, desc(pause.at), pause.subject)
    .limit(MOST_LISTED);
  if (pauses.length < MOST_LISTED) return { pauses, total: pauses.length };
  const [counted] = await db
    .select({ total: asNumber(sql`count(*)`) })
    .from(pause)
    .where(active);
  return { pauses, total: counted?.total ?? pauses.length };
}

/** Number of active pauses and holds by scope. Index: primary key of pause. */
export async function countPartialPauses({ db, own: { pause } }: Session, outbox: string): Promise<PartialPauses> {
  const ofOutbox = and(eq(pause.outbox, outbox), inForce(pause));
  const counted = await db
    .select({ scope: pause.scope, count: asNumber(sql`count(*)`) })
    .from(pause)
    .where(ofOutbox)
    .groupBy(pause.scope);
  const named = await db
    .select({ name: pause.subject })
    .from(pause)
    .where(and(ofOutbox, eq(pause.scope, "event_type")))
    .orderBy(pause.at)
    .limit(MOST_TYPE_NAMES);
  const count = (scope: string) => counted.find((row) => row.scope === scope)?.count ?? 0;
  return {
    eventTypes: count("event_type"),
    aggregates: count("aggregate"),
    holds: count("hold"),
    typeNames: named.map(({ name }) => name),
  };
}

/** Active pauses of the message's type or aggregate, the last to end first. */
export async function readPausesOf(
  { db, own: { pause } }: Session,
  message: { outbox: string; eventType: string | null; aggregateKey: string | null },
): Promise<PauseRow[]> {
  const { eventType, aggregateKey } = message;
  if (eventType === null && aggregateKey === null) return [];
  const ofType = and(eq(pause.scope, "event_type"), eq(pause.subject, eventType ?? ""));
  const ofAggregate = and(inArray(pause.scope, ["aggregate", "hold"]), eq(pause.subject, aggregateKey ?? ""));
  return db
    .select(columns(pause))
    .from(pause)
    .where(
      and(
        eq(pause.outbox, message.outbox),
        inForce(pause),
        or(eventType === null ? undefined : ofType, aggregateKey === null ? undefined : ofAggregate),
      ),
    )
    .orderBy(sql`${pause.until} IS NOT NULL`, desc(pause.until));
}

/** Pauses, or replaces the active pause. */
export async function writePause(
  session: Session,
  { minutes, ...pause }: PauseSubject & { reason: string; by: string; minutes: number | null },
): Promise<void> {
  const until = minutes === null ? null : sql`${NOW} + INTERVAL ${minutes} MINUTE`;
  const changes = { reason: pause.reason, by: pause.by, at: NOW, until };
  await session.run(
    session.db
      .insert(session.own.pause)
      .values({ ...pause, at: NOW, until })
      .onDuplicateKeyUpdate({ set: changes }),
  );
}

/** Ends a pause; for an aggregate also the relay's own hold. True if one was active. */
export async function deletePause(session: Session, { outbox, scope, subject }: PauseSubject): Promise<boolean> {
  const { pause } = session.own;
  const scopes = scope === "aggregate" ? ["aggregate", "hold"] : [scope];
  const { affectedRows } = await session.run(
    session.db
      .delete(pause)
      .where(and(eq(pause.outbox, outbox), inArray(pause.scope, scopes), eq(pause.subject, subject), inForce(pause))),
  );
  return affectedRows > 0;
}
