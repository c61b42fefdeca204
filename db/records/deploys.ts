import { and, desc, eq, gte, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool, PoolClient } from "pg";
import { instant, NOW } from "./instants.ts";
import { deploy } from "./schema.ts";

export interface DeployRow {
  id: number;
  service: string;
  version: string;
  /** Null: every outbox. */
  outbox: string | null;
  at: string;
  link: string | null;
  reportedBy: string;
}

export interface NewDeployRow extends Omit<DeployRow, "id" | "at"> {
  /** Null: now. */
  at: string | null;
  idempotencyKey: string | null;
}

export interface DeployFilter {
  outbox: string | null;
  /** Only deploys that concern one of these outboxes or every outbox; default: all deploys. */
  outboxes?: readonly string[];
  from: string | null;
  to: string | null;
  limit: number;
}

const columns = {
  id: deploy.id,
  service: deploy.service,
  version: deploy.version,
  outbox: deploy.outbox,
  at: instant<string>(deploy.at),
  link: deploy.link,
  reportedBy: deploy.reportedBy,
};

/** The new row, or the earlier one with this reporter and key. */
export async function insertDeploy(
  client: PoolClient,
  { at, ...row }: NewDeployRow,
): Promise<{ row: DeployRow; repeated: boolean }> {
  const db = drizzle(client);
  const [added] = await db
    .insert(deploy)
    .values({ ...row, at: at ?? NOW })
    .onConflictDoNothing()
    .returning(columns);
  if (added) return { row: added, repeated: false };
  const [earlier] = await db
    .select(columns)
    .from(deploy)
    .where(and(eq(deploy.reportedBy, row.reportedBy), eq(deploy.idempotencyKey, row.idempotencyKey ?? "")));
  if (!earlier) throw new Error("A deploy was neither new nor there.");
  return { row: earlier, repeated: true };
}

/** Newest first. Uses deploy_time_idx. */
export async function readDeploys(db: Pool, filter: DeployFilter): Promise<DeployRow[]> {
  const { outbox, outboxes, from, to, limit } = filter;
  return drizzle(db)
    .select(columns)
    .from(deploy)
    .where(
      and(
        outboxes === undefined ? undefined : or(isNull(deploy.outbox), inArray(deploy.outbox, [...outboxes])),
        outbox === null ? undefined : or(isNull(deploy.outbox), eq(deploy.outbox, outbox)),
        from === null ? undefined : gte(deploy.at, from),
        to === null ? undefined : lt(deploy.at, to),
      ),
    )
    .orderBy(desc(deploy.at), desc(deploy.id))
    .limit(limit);
}

/** Deletes those older than `keepDays` days, and all but the newest `keepMost`. Returns how many. */
export async function deleteOldDeploys(db: Pool, keepDays: number, keepMost: number): Promise<number> {
  const newest = drizzle(db)
    .select({ at: deploy.at, id: deploy.id })
    .from(deploy)
    .orderBy(desc(deploy.at), desc(deploy.id))
    .offset(keepMost)
    .limit(1);
  const gone = await drizzle(db)
    .delete(deploy)
    .where(
      or(
        lt(deploy.at, sql`${NOW} - make_interval(days => ${keepDays})`),
        sql`(${deploy.at}, ${deploy.id}) <= (${newest})`,
      ),
    );
  return gone.rowCount ?? 0;
}
