import { eq, type SQL, sql } from "drizzle-orm";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { orderBy } from "#db/stores/shared/read/keyset.ts";
import { PINS } from "#db/stores/shared/retention/retention-words.ts";
import type { FoundRows, Search } from "#db/stores/shared/retention/walk.ts";
import type { Session } from "../connection/session.ts";
import { instantOf, realInstant } from "../tables/column-values.ts";
import { afterCursor, cursorOf } from "../tables/keyset.ts";
import { messageId } from "../tables/message-key.ts";
import { outboxTable } from "../tables/outbox-table.ts";
import { readPins } from "./read-pins.ts";
import { isOlder, isRemovable } from "./removable.ts";

/** Rows looked at for each row asked for, where the order is not that of the age. */
const WINDOW = 5;
/** Headers of a row and its entries in indexes, about. */
const ROW_BYTES = 100;

/** The oldest removable rows behind `after`, locked; a row that another session holds is passed over. */
export async function findRemovable(session: Session, ref: OutboxRef, search: Search): Promise<FoundRows> {
  const { rule, age, walk, limit } = search;
  const window = walk.windowed ? await windowOf(session, ref, search) : { until: null, last: false };
  const outbox = outboxTable(ref.mapping);
  const { table, rows } = outbox;
  const conditions = [
    isRemovable(ref, rule, age),
    ...(search.after ? [afterCursor(walk, search.after)] : []),
    ...(window.until ? [sql`NOT ${afterCursor(walk, window.until)}`] : []),
  ];
  const unread = await isUnread(session, ref, search);
  const found = await session.rows(
    sql`SELECT ${messageId(outbox)}, ${bytesOf(ref)}, ${cursorOf(walk)}, ${unread}
     FROM ${table} ${rows} WHERE ${sql.join(conditions, sql` AND `)}
     ORDER BY ${sql.join(orderBy(walk), sql`, `)} LIMIT ${limit} FOR UPDATE SKIP LOCKED`,
  );
  const pins = await readPins(
    session,
    ref,
    rule,
    found.map(([id]) => id ?? ""),
  );
  for (const [id, , , behind] of found) if (id && behind === "1") pins.set(id, PINS.reader);
  const free = found.filter(([id]) => !pins.has(id ?? ""));
  const reasons = [...pins.values()];
  const end = found.at(-1)?.[2];
  return {
    ids: free.map(([id]) => id ?? ""),
    bytes: free.reduce((sum, [, bytes]) => sum + Number(bytes), 0),
    kept: [...new Set(reasons)].map((reason) => ({ reason, rows: reasons.filter((one) => one === reason).length })),
    next: found.length >= limit && end ? JSON.parse(end) : window.last ? null : window.until,
  };
}

export function bytesOf({ mapping }: OutboxRef): SQL<number> {
  const { column } = outboxTable(mapping);
  const { payload, headers } = mapping.columns;
  const head = headers ? sql` + COALESCE(OCTET_LENGTH(${column(headers)}), 0)` : sql``;
  return sql<number>`(COALESCE(OCTET_LENGTH(${column(payload)}), 0)${head} + ${sql.raw(String(ROW_BYTES))})`;
}

/** Condition over row `t`: the relay's reader of the log has not yet passed the time that gives the row its age. */
async function isUnread(session: Session, ref: OutboxRef, { rule, age }: Search): Promise<SQL> {
  if (rule.reader === null) return sql`0`;
  const { binlogReader } = session.own;
  const [reader] = await session.db
    .select({ readTo: binlogReader.readTo })
    .from(binlogReader)
    .where(eq(binlogReader.reader, rule.reader));
  if (!reader) return sql`0`;
  const readTo = sql`(SELECT ${binlogReader.readTo} FROM ${binlogReader} WHERE ${binlogReader.reader} = ${rule.reader})`;
  return sql`(${realInstant(instantOf(outboxTable(ref.mapping), age.column))} >= ${readTo})`;
}

/** The end of the next window of rows in the walk's order; `last` if no row in it, or none after it, is old. */
async function windowOf(session: Session, ref: OutboxRef, { rule, age, walk, limit, after }: Search) {
  const { table, rows } = outboxTable(ref.mapping);
  const { createdAt } = ref.mapping.columns;
  const old = isOlder(ref.mapping, createdAt?.time ? createdAt : age.column, rule.keepSeconds);
  const size = limit * WINDOW;
  const found = await session.rows(
    sql`SELECT ${cursorOf(walk)}, COALESCE(${old}, TRUE) FROM ${table} ${rows} ${after ? sql`WHERE ${afterCursor(walk, after)}` : sql``}
     ORDER BY ${sql.join(orderBy(walk), sql`, `)} LIMIT ${size}`,
  );
  const end = found.at(-1)?.[0];
  const until: string[] | null = end ? JSON.parse(end) : null;
  return { until, last: found.length < size || found.every(([, isOld]) => isOld !== "1") };
}
