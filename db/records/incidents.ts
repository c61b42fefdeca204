import { and, desc, eq, isNull, notInArray, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool, PoolClient } from "pg";
import { instant, NOW } from "./instants.ts";
import { incident, incidentEntry } from "./schema.ts";

export interface IncidentRow {
  id: number;
  title: string;
  since: string;
  openedAt: string;
  openedBy: string;
  lead: string | null;
  leadSince: string | null;
  outboxes: string[];
  failureGroup: { outbox: string; fingerprint: string } | null;
  endedAt: string | null;
  endedBy: string | null;
  outcome: string | null;
}

export interface IncidentEntryRow {
  at: string;
  author: string;
  kind: "opened" | "note" | "lead" | "renamed" | "ended";
  text: string;
}

export interface NewIncidentRow extends Pick<IncidentRow, "title" | "openedBy" | "lead" | "outboxes" | "failureGroup"> {
  /** Null: now. */
  since: string | null;
  /** Ids of open incidents that the person has seen. */
  besides: readonly number[];
  /** False for an incident that is hidden from the person; by default none is. */
  sees?: (row: Pick<IncidentRow, "outboxes" | "failureGroup">) => boolean;
}

/** `from`: the lead that the person saw. */
export type IncidentChange =
  | { kind: "note"; text: string; most: number }
  | { kind: "lead"; from: string | null; to: string | null; text: string }
  | { kind: "renamed"; title: string; text: string }
  | { kind: "ended"; text: string };

const columns = {
  id: incident.id,
  title: incident.title,
  since: instant<string>(incident.since),
  openedAt: instant<string>(incident.openedAt),
  openedBy: incident.openedBy,
  lead: incident.lead,
  leadSince: instant<string | null>(incident.leadSince),
  outboxes: sql<string[]>`${incident.outboxes}`,
  failureGroup: sql<IncidentRow["failureGroup"]>`${incident.failureGroup}`,
  endedAt: instant<string | null>(incident.endedAt),
  endedBy: incident.endedBy,
  outcome: incident.outcome,
};

/** Newest first; where `outboxes` is not null, those that concern some of these and no others. */
export async function readIncidents(
  db: Pool,
  input: { open: boolean; outboxes: readonly string[] | null; limit: number },
): Promise<IncidentRow[]> {
  return drizzle(db)
    .select(columns)
    .from(incident)
    .where(
      and(
        input.open ? isNull(incident.endedAt) : undefined,
        input.outboxes === null ? undefined : concernsOnly(input.outboxes),
      ),
    )
    .orderBy(desc(incident.id))
    .limit(input.limit);
}

/** An incident without outboxes concerns all of them. */
function concernsOnly(outboxes: readonly string[]): SQL {
  const seen = sql`ANY(${sql.param([...outboxes])}::text[])`;
  return sql`json_array_length(${incident.outboxes}) > 0
    AND NOT EXISTS (SELECT FROM json_array_elements_text(${incident.outboxes}) AS concerned (name) WHERE NOT name = ${seen})
    AND coalesce(${incident.failureGroup} ->> 'outbox' = ${seen}, true)`;
}

/** The incident with its entries, newest first, and the copy of other records from its end. */
export async function readIncident(
  db: Pool,
  id: number,
): Promise<{ row: IncidentRow; entries: IncidentEntryRow[]; kept: unknown } | null> {
  const [found] = await drizzle(db)
    .select({ ...columns, kept: incident.kept })
    .from(incident)
    .where(eq(incident.id, id));
  if (!found) return null;
  const { kept, ...row } = found;
  const entries = await drizzle(db)
    .select({
      at: instant<string>(incidentEntry.at),
      author: incidentEntry.author,
      kind: sql<IncidentEntryRow["kind"]>`${incidentEntry.kind}`,
      text: incidentEntry.text,
    })
    .from(incidentEntry)
    .where(eq(incidentEntry.incident, id))
    .orderBy(desc(incidentEntry.id));
  return { row, entries, kept };
}

/**
 * The new incident, or an open one that the person has not seen. The lock lets one start at a time: if two people start
 * one at once, the second gets the incident of the first.
 */
export async function insertIncident(
  client: PoolClient,
  { besides, since, sees = () => true, ...row }: NewIncidentRow,
): Promise<{ row: IncidentRow; opened: boolean }> {
  const db = drizzle(client);
  await db.execute(sql`LOCK TABLE ${incident} IN SHARE ROW EXCLUSIVE MODE`);
  const others = await db
    .select(columns)
    .from(incident)
    .where(and(isNull(incident.endedAt), besides.length === 0 ? undefined : notInArray(incident.id, [...besides])))
    .orderBy(desc(incident.id));
  const unknown = others.find(sees);
  if (unknown) return { row: unknown, opened: false };
  const [opened] = await db
    .insert(incident)
    .values({ ...row, since: since ?? NOW, leadSince: row.lead === null ? null : NOW })
    .returning(columns);
  if (!opened) throw new Error("An insert returned no row.");
  await db.insert(incidentEntry).values({ incident: opened.id, author: row.openedBy, kind: "opened", text: row.title });
  return { row: opened, opened: true };
}

/** False if the incident has changed since the person saw it: another lead, it has ended, or it has too many notes. */
export async function changeIncident(
  client: PoolClient,
  { id, actor }: { id: number; actor: string },
  change: IncidentChange,
): Promise<boolean> {
  const db = drizzle(client);
  if (change.kind === "note") {
    // One note at a time, so that no two count the same number before they add theirs.
    await db.select({ id: incident.id }).from(incident).where(eq(incident.id, id)).for("update");
    if ((await db.$count(incidentEntry, eq(incidentEntry.incident, id))) >= change.most) return false;
  } else {
    const { set, where } = updateOf(change, actor);
    const done = await db
      .update(incident)
      .set(set)
      .where(and(eq(incident.id, id), isNull(incident.endedAt), where));
    if (done.rowCount === 0) return false;
  }
  await db.insert(incidentEntry).values({ incident: id, author: actor, kind: change.kind, text: change.text });
  return true;
}

function updateOf(change: Exclude<IncidentChange, { kind: "note" }>, actor: string) {
  if (change.kind === "renamed") return { set: { title: change.title } };
  if (change.kind === "ended") return { set: { endedAt: NOW, endedBy: actor, outcome: change.text } };
  return {
    set: { lead: change.to, leadSince: change.to === null ? null : NOW },
    where: sql`${incident.lead} IS NOT DISTINCT FROM ${change.from}`,
  };
}

/** Stores a copy of other records about an incident that has ended. */
export async function keepTimeline(db: Pool, id: number, kept: unknown): Promise<void> {
  await drizzle(db).update(incident).set({ kept }).where(eq(incident.id, id));
}
