import { and, desc, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool, PoolClient } from "pg";
import type { Role } from "#domain/operator.ts";
import { instant, NOW } from "./instants.ts";
import { session } from "./schema.ts";

export interface SessionRow {
  id: string;
  name: string;
  role: string;
  address: string;
  startedAt: string;
  seenAt: string;
  expiresAt: string;
}

/** `over`: ended or expired. `absent`: the database has no row of it. */
export type SeenSession = "open" | "over" | "absent";

export interface NewSession {
  id: string;
  name: string;
  role: Role;
  address: string;
  seconds: number;
}

/** A minute is precise enough for "last seen" and keeps an open page from writing every other second. */
const SEEN_STALE = sql`clock_timestamp() - interval '1 minute'`;
/** Expired sessions are kept this long, so that people can see who ended them. */
const KEPT = sql`clock_timestamp() - interval '30 days'`;

export async function insertSession(client: PoolClient, input: NewSession): Promise<void> {
  const { id, name, role, address } = input;
  const console = drizzle(client);
  await console.delete(session).where(lt(session.expiresAt, KEPT));
  const expiresAt = sql`clock_timestamp() + make_interval(secs => ${input.seconds})`;
  await console.insert(session).values({ id, name, role, address, expiresAt });
}

/** Records that an open session was seen. Uses the primary key. */
export async function touchSession(db: Pool, id: string): Promise<SeenSession> {
  const console = drizzle(db);
  const [row] = await console
    .select({
      isOpen: sql<boolean>`${session.endedAt} IS NULL AND ${session.expiresAt} > ${NOW}`,
      isStale: sql<boolean>`${session.seenAt} < ${SEEN_STALE}`,
    })
    .from(session)
    .where(eq(session.id, id));
  if (!row) return "absent";
  if (!row.isOpen) return "over";
  if (row.isStale) await console.update(session).set({ seenAt: NOW }).where(eq(session.id, id));
  return "open";
}

/** The session's user and origin; null if there is no such session or it is over already. */
export async function endSession(
  client: PoolClient,
  input: { id: string; by: string },
): Promise<Pick<SessionRow, "name" | "address"> | null> {
  const ended = await drizzle(client)
    .update(session)
    .set({ endedAt: NOW, endedBy: input.by })
    .where(and(eq(session.id, input.id), isNull(session.endedAt), gt(session.expiresAt, NOW)))
    .returning({ name: session.name, address: session.address });
  return ended[0] ?? null;
}

/** Open sessions, last seen first. */
export async function listSessions(db: Pool, limit: number): Promise<SessionRow[]> {
  return drizzle(db)
    .select({
      id: session.id,
      name: session.name,
      role: session.role,
      address: session.address,
      startedAt: instant<string>(session.startedAt),
      seenAt: instant<string>(session.seenAt),
      expiresAt: instant<string>(session.expiresAt),
    })
    .from(session)
    .where(and(isNull(session.endedAt), gt(session.expiresAt, NOW)))
    .orderBy(desc(session.seenAt))
    .limit(limit);
}
