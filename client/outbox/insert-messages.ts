import { ClientError, isClientError } from "../errors.ts";
import { cells } from "../sql/cells.ts";
import { equalsSql } from "../sql/columns.ts";
import { currentRow } from "../sql/current-row.ts";
import { isDuplicateKey } from "../sql/database-errors.ts";
import { quoteTable } from "../sql/names.ts";
import { type Statement, sql } from "../sql/statement.ts";
import { type Inserted, insertInPostgres, type Target } from "./insert-in-postgres.ts";
import { fillSameColumns, insertOf } from "./insert-statement.ts";
import type { NewMessage } from "./new-message.ts";
import { requireUniqueId } from "./require-unique-id.ts";

export interface Added {
  /** The event's id; null where the table has no column for it. */
  id: string | null;
  /** False if a message of this id is there already: nothing was written. */
  added: boolean;
}

/** Postgres takes 65,535 parameters in a statement. */
const MOST_ROWS = 1000;
/** MySQL 5.7 takes 4 MiB in a statement, in which texts are hexadecimal. */
const MOST_BYTES = 1_000_000;

/**
 * Writes messages in their order, on the caller's transaction. One statement for up to 1,000 of 1 MB that fill the same
 * columns; one each for messages whose id the database makes, and in MySQL for a group with given ids of which one is
 * there already.
 */
export async function insertMessages<Tx, Db>(
  target: Target<Tx, Db>,
  messages: readonly NewMessage[],
): Promise<Added[]> {
  const insert = target.via.dialect === "postgres" ? insertInPostgres : insertInMysql;
  const isGenerated = target.layout.columns.id?.type === "generated";
  const added: Added[] = [];
  for (const group of groupsOf(messages, { givenAlone: !knowsGiven(target) })) {
    const { count, ids } = await insert(target, group).catch(inPart(target, messages));
    // The statement skips an id that it has written itself, as it skips those that were there.
    const written = new Set(ids);
    for (const message of group) {
      const isWritten = count === group.length || (message.id !== null && written.delete(message.id));
      added.push({ id: isGenerated ? (ids[0] ?? null) : message.id, added: isWritten });
    }
  }
  return added;
}

/** In MySQL a statement that fails undoes itself alone, and not those before it. */
function inPart<Tx, Db>({ via }: Target<Tx, Db>, messages: readonly NewMessage[]): (error: unknown) => never {
  return (error) => {
    if (via.dialect === "postgres" || messages.length === 1 || !isClientError(error)) throw error;
    const message = `${error.message} Other events of the list may be written: roll the transaction back.`;
    throw new ClientError(error.code, message, { cause: error.cause });
  };
}

async function insertInMysql<Tx, Db>(target: Target<Tx, Db>, group: readonly NewMessage[]): Promise<Inserted> {
  const { via, tx, layout } = target;
  if (group[0]?.givenId) await requireUniqueId(target);
  const { into, values } = insertOf(layout, "mysql", group);
  const statement = sql`${into} ${values}`;
  const [first] = group;
  if (first?.givenId) return insertGiven(target, group, statement);
  await via.run(tx, statement);
  if (layout.columns.id?.type !== "generated") return { count: group.length, ids: [] };
  const { rows } = await via.run(tx, sql`SELECT LAST_INSERT_ID() AS id`);
  const [id] = cells(rows[0] ?? {});
  return { count: group.length, ids: id === undefined ? [] : [String(id)] };
}

/** The error of a duplicate undoes the whole statement, and does not say how many there are. */
async function insertGiven<Tx, Db>(
  target: Target<Tx, Db>,
  group: readonly NewMessage[],
  statement: Statement,
): Promise<Inserted> {
  const [first, ...others] = group;
  if (first && others.length === 0) return { count: (await insertOnce(target, statement, first)) ? 1 : 0, ids: [] };
  try {
    await target.via.run(target.tx, statement);
    return { count: group.length, ids: [] };
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const ids: string[] = [];
  for (const message of group) {
    const { count } = await insertInMysql(target, [message]);
    if (count > 0 && message.id !== null) ids.push(message.id);
  }
  return { count: ids.length, ids };
}

/**
 * False if a message of this id is there. MySQL has no clause for one key alone, and a driver may count a row that was
 * found as one that was written: so the error of the duplicate decides, which ends the statement and not the
 * transaction.
 */
async function insertOnce<Tx, Db>(target: Target<Tx, Db>, statement: Statement, { id }: NewMessage): Promise<boolean> {
  try {
    await target.via.run(target.tx, statement);
    return true;
  } catch (error) {
    if (!isDuplicateKey(error) || !(await exists(target, id))) throw error;
    return false;
  }
}

async function exists<Tx, Db>({ via, tx, layout }: Target<Tx, Db>, id: string | null): Promise<boolean> {
  const { id: column } = layout.columns;
  if (!column || id === null) return false;
  const table = quoteTable(layout.table, via.dialect);
  const isIt = equalsSql(column, id, via.dialect);
  const { rows } = await via.run(tx, sql`SELECT 1 AS found FROM ${table} WHERE ${isIt}${currentRow(via.dialect)}`);
  return rows.length > 0;
}

/**
 * Whether the answer distinguishes the given ids that were written: Postgres shows others otherwise than they were
 * given.
 */
function knowsGiven<Tx, Db>({ via, layout }: Target<Tx, Db>): boolean {
  const type = layout.columns.id?.type;
  return via.dialect === "mysql" || type === "uuid" || type === "text";
}

function groupsOf(messages: readonly NewMessage[], { givenAlone }: { givenAlone: boolean }): NewMessage[][] {
  const groups: NewMessage[][] = [];
  let left = 0;
  for (const message of messages) {
    const last = groups.at(-1);
    const alone = message.id === null || (message.givenId && givenAlone);
    const bytes = Buffer.byteLength(message.payload) + Buffer.byteLength(message.headers ?? "");
    left -= bytes;
    if (last?.[0] && !alone && isAlike(message, last[0]) && last.length < MOST_ROWS && left >= 0) last.push(message);
    else {
      groups.push([message]);
      left = MOST_BYTES - bytes;
    }
  }
  return groups;
}

/** Whether one statement can write both. */
function isAlike(one: NewMessage, other: NewMessage): boolean {
  return one.givenId === other.givenId && fillSameColumns(one, other);
}
