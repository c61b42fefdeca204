import { eq, notExists, sql } from "drizzle-orm";
import type { OutboxMapping, TableName } from "#db/stores/port/mapping.ts";
import type { OutboxRef } from "#db/stores/port/outbox-ref.ts";
import { all } from "#db/stores/shared/states/conditions.ts";
import { unsent } from "#db/stores/shared/states/state-predicates.ts";
import type { LeftBehind } from "#domain/diagnosis/facts/table.ts";
import { isConnectionError, isForbidden, isTableChanged } from "../connection/database-error.ts";
import type { Pool } from "../connection/pool.ts";
import type { Session } from "../connection/session.ts";
import { withSession } from "../connection/transaction.ts";
import { asNumber } from "../tables/column-values.ts";
import { outboxTable } from "../tables/outbox-table.ts";

/** More messages are reported as "at least". */
const COUNTED = 10_000;
/** Rows of a table that nobody uses any more change when a person moves them. */
const COUNTED_EVERY_MS = 30_000;

const counted = new WeakMap<OutboxMapping, { until: number; replaced: LeftBehind }>();

/**
 * The earlier table of the outbox whose place another one took, as RENAME TABLE and tools for schema changes do, if it
 * still holds messages that were not sent. InnoDB numbers its tables; a rename keeps the number. ALTER TABLE may give a
 * table a new one, but then no table has the earlier number. The number is kept with the accepted mapping, and looked
 * up only when the table has another time of creation, because the list of InnoDB's tables has no index.
 */
export async function readReplacedTable(
  session: Session,
  writes: () => Pool,
  ref: OutboxRef,
): Promise<LeftBehind | null> {
  const { mapping, name: outbox, accepted, storeSide } = ref;
  if (!accepted || !storeSide || mapping.lifecycle.kind === "log") return null;
  const known = counted.get(mapping);
  if (known && performance.now() < known.until) return known.replaced;
  const noted = await readNoted(session, outbox);
  const created = await readCreated(session, mapping.table);
  if (!noted || created === null || noted.created === created) return null;
  const ids = await readIds(session, mapping.table, noted.id).catch((error: unknown) => {
    // Without the privilege PROCESS.
    if (isForbidden(error)) return null;
    throw error;
  });
  if (!ids) return null;
  if (ids.earlier !== null) {
    const replaced = await leftIn(session, ref, ids.earlier);
    if (replaced.messages !== 0) {
      counted.set(mapping, { until: performance.now() + COUNTED_EVERY_MS, replaced });
      return replaced;
    }
  }
  counted.delete(mapping);
  await note(writes(), outbox, { id: ids.id, created });
  return null;
}

interface Identity {
  id: string;
  created: string;
}

async function readNoted({ db, own }: Session, outbox: string) {
  const { mappingFingerprint: kept } = own;
  const [row] = await db
    .select({ id: kept.tableId, created: kept.tableCreated })
    .from(kept)
    .where(eq(kept.outbox, outbox));
  // After a mapping was accepted anew, the table of that moment counts.
  return row && { id: row.id, created: row.id === null ? null : row.created };
}

async function readCreated(session: Session, { schema, name }: TableName): Promise<string | null> {
  const [row] = await session.rows(sql`SELECT create_time FROM information_schema.tables
    WHERE table_schema = ${schema} AND table_name = ${name}`);
  return row?.[0] ?? null;
}

/** Null for a table that is partitioned or not InnoDB's, and for a name whose file name is not known here. */
async function readIds(
  session: Session,
  table: TableName,
  notedId: string | null,
): Promise<{ id: string; earlier: TableName | null } | null> {
  const file = fileNameOf(table);
  if (file === null) return null;
  const list = session.server.flavor === "mariadb" ? "innodb_sys_tables" : "innodb_tables";
  const rows = await session.rows(sql`SELECT CAST(table_id AS CHAR), name FROM information_schema.${sql.raw(list)}
    WHERE name = ${file} OR table_id = ${notedId ?? "0"}`);
  const id = rows.find(([, name]) => name === file)?.[0];
  if (!id) return null;
  const other = rows.find(([one, name]) => one === notedId && name !== file)?.[1];
  return { id, earlier: other ? tableOfFile(other) : null };
}

/** InnoDB's name of a table: characters beyond these stand there as their codes. */
function fileNameOf({ schema, name }: TableName): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
  if (!/^[\x00-\x7f]+$/.test(schema + name)) return null;
  const encoded = (text: string) =>
    text.replace(/[^A-Za-z0-9_]/g, (one) => `@${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `${encoded(schema)}/${encoded(name)}`;
}

function tableOfFile(file: string): TableName | null {
  const decoded = file.replace(/@([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const [schema, name, ...rest] = decoded.split("/");
  return schema && name && rest.length === 0 ? { schema, name } : null;
}

/**
 * The earlier table's unsent rows that the table does not have. Index of the earlier table: the one of waiting
 * messages.
 */
async function leftIn(session: Session, { mapping }: OutboxRef, earlier: TableName): Promise<LeftBehind> {
  const old = outboxTable({ ...mapping, table: earlier }, "o");
  const now = outboxTable(mapping, "n");
  const same = all(...mapping.primaryKey.map((column) => sql`${now.column(column)} = ${old.column(column)}`));
  const { db } = session;
  const one = { found: sql`1`.as("found") };
  const copied = db.select(one).from(now.rows).where(same);
  const left = db
    .select(one)
    .from(old.rows)
    .where(all(unsent(old), notExists(copied)))
    .limit(COUNTED)
    .as("unsent");
  const messages = await db
    .select({ messages: asNumber(sql`COUNT(*)`) })
    .from(left)
    .then(([row]) => row?.messages ?? 0)
    .catch((error: unknown) => {
      if (isConnectionError(error) || isTableChanged(error)) throw error;
      // It takes too long, the columns are others, or the account may not read it.
      return null;
    });
  return {
    how: "renamed",
    table: `${mapping.table.schema}.${mapping.table.name}`,
    earlier: `${earlier.schema}.${earlier.name}`,
    messages,
    capped: messages === COUNTED,
    maybePublished: mapping.lifecycle.kind === "delete",
  };
}

/** The next reading tries again if it fails: the server may take no writes. */
async function note(writes: Pool, outbox: string, { id, created }: Identity): Promise<void> {
  await withSession(writes, ({ db, own: { mappingFingerprint: kept } }) =>
    db.update(kept).set({ tableId: id, tableCreated: created }).where(eq(kept.outbox, outbox)),
  ).catch(() => undefined);
}
