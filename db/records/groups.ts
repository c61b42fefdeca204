import { and, desc, eq, isNotNull, lt, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool, PoolClient } from "pg";
import { instant, NOW } from "./instants.ts";
import { groupMark, groupNote } from "./schema.ts";

export interface GroupKey {
  outbox: string;
  fingerprint: string;
}

/** People's decisions about a failure group. */
export interface GroupMarkRow {
  fingerprint: string;
  /** The group's error at the last action on it. */
  title: string;
  claimedBy: string | null;
  claimedAt: string | null;
  resolvedBy: string | null;
  resolvedAt: string | null;
  /** The last failure known at that time, on the clock of the group's store. */
  resolvedSeen: string | null;
  ignoredBy: string | null;
  ignoredAt: string | null;
  ignoredReason: string | null;
  ignoredUpTo: number | null;
  notes: number;
}

export interface GroupNoteRow {
  id: number;
  at: string;
  author: string;
  text: string;
}

/** A decision about a group. `from`: the owner that the person saw, null for none. */
export type GroupChange =
  | { act: "note"; text: string; most: number }
  | { act: "claim"; from: string | null }
  | { act: "release"; from: string }
  | { act: "resolve"; seen: string }
  | { act: "reopen" }
  | { act: "ignore"; upTo: number; reason: string }
  | { act: "heed" };

/** Marks of one outbox that a list shows. */
const MOST_MARKS = 1_000;

const ofGroup = (table: typeof groupMark | typeof groupNote, { outbox, fingerprint }: GroupKey) =>
  and(eq(table.outbox, outbox), eq(table.fingerprint, fingerprint));

const markColumns = {
  fingerprint: groupMark.fingerprint,
  title: groupMark.title,
  claimedBy: groupMark.claimedBy,
  claimedAt: instant<string | null>(groupMark.claimedAt),
  resolvedBy: groupMark.resolvedBy,
  resolvedAt: instant<string | null>(groupMark.resolvedAt),
  resolvedSeen: instant<string | null>(groupMark.resolvedSeen),
  ignoredBy: groupMark.ignoredBy,
  ignoredAt: instant<string | null>(groupMark.ignoredAt),
  ignoredReason: groupMark.ignoredReason,
  ignoredUpTo: groupMark.ignoredUpTo,
  notes: sql<number>`(SELECT count(*)::int FROM ${groupNote} AS n
    WHERE n.outbox = ${groupMark.outbox} AND n.fingerprint = ${groupMark.fingerprint})`,
};

/** Marks of an outbox, last changed first; at most 1,000. */
export async function readGroupMarks(db: Pool, outbox: string): Promise<GroupMarkRow[]> {
  return drizzle(db)
    .select(markColumns)
    .from(groupMark)
    .where(eq(groupMark.outbox, outbox))
    .orderBy(desc(groupMark.changedAt))
    .limit(MOST_MARKS);
}

/** The mark of one group, null without one, and its notes, newest first. */
export async function readGroup(
  db: Pool,
  key: GroupKey,
): Promise<{ mark: GroupMarkRow | null; notes: GroupNoteRow[] }> {
  const [mark] = await drizzle(db).select(markColumns).from(groupMark).where(ofGroup(groupMark, key));
  const notes = await drizzle(db)
    .select({ id: groupNote.id, at: instant<string>(groupNote.at), author: groupNote.author, text: groupNote.text })
    .from(groupNote)
    .where(ofGroup(groupNote, key))
    .orderBy(desc(groupNote.id));
  return { mark: mark ?? null, notes };
}

/**
 * Changes the records of a group, in the caller's transaction. False if the group has changed since the person saw it:
 * it has another owner, is not resolved or not ignored, or has reached its limit of notes.
 */
export async function changeGroup(
  client: PoolClient,
  key: GroupKey & { title: string; actor: string },
  change: GroupChange,
): Promise<boolean> {
  const db = drizzle(client);
  const { outbox, fingerprint, title, actor } = key;
  await db
    .insert(groupMark)
    .values({ outbox, fingerprint, title })
    .onConflictDoUpdate({ target: [groupMark.outbox, groupMark.fingerprint], set: { title, changedAt: NOW } });
  if (change.act === "note") {
    const before = await db.$count(groupNote, ofGroup(groupNote, key));
    if (before >= change.most) return false;
    await db.insert(groupNote).values({ outbox, fingerprint, author: actor, text: change.text });
    return true;
  }
  const { set, where } = updateOf(change, actor);
  const done = await db
    .update(groupMark)
    .set(set)
    .where(and(ofGroup(groupMark, key), where));
  return done.rowCount === 1;
}

type Update = { set: Record<string, unknown>; where?: SQL | undefined };

function updateOf(change: Exclude<GroupChange, { act: "note" }>, actor: string): Update {
  switch (change.act) {
    case "claim":
      return {
        set: {
          claimedBy: actor,
          claimedAt: sql`CASE WHEN ${groupMark.claimedBy} = ${actor} THEN ${groupMark.claimedAt} ELSE ${NOW} END`,
        },
        where: sql`(${groupMark.claimedBy} IS NOT DISTINCT FROM ${change.from} OR ${groupMark.claimedBy} = ${actor})`,
      };
    case "release":
      return { set: { claimedBy: null, claimedAt: null }, where: eq(groupMark.claimedBy, change.from) };
    case "resolve":
      return { set: { resolvedBy: actor, resolvedAt: NOW, resolvedSeen: change.seen } };
    case "reopen":
      return {
        set: { resolvedBy: null, resolvedAt: null, resolvedSeen: null },
        where: isNotNull(groupMark.resolvedAt),
      };
    case "ignore":
      return {
        set: { ignoredBy: actor, ignoredAt: NOW, ignoredReason: change.reason, ignoredUpTo: change.upTo },
      };
    case "heed":
      return {
        set: { ignoredBy: null, ignoredAt: null, ignoredReason: null, ignoredUpTo: null },
        where: isNotNull(groupMark.ignoredAt),
      };
  }
}

/** Deletes records of groups without an action for `keepDays` days, with their notes. Returns how many. */
export async function deleteOldGroups(db: Pool, keepDays: number): Promise<number> {
  return drizzle(db).transaction(async (tx) => {
    const gone = await tx
      .delete(groupMark)
      .where(lt(groupMark.changedAt, sql`${NOW} - make_interval(days => ${keepDays})`))
      .returning({ outbox: groupMark.outbox, fingerprint: groupMark.fingerprint });
    for (const key of gone) await tx.delete(groupNote).where(ofGroup(groupNote, key));
    return gone.length;
  });
}
