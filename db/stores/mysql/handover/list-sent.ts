import type { PlaceInFile } from "../../port/handover.ts";
import type { TableName } from "../../port/mapping.ts";
import { errorNumber } from "../connection/database-error.ts";
import { literalOf } from "../connection/literal.ts";
import type { Session } from "../connection/session.ts";

const PAGE = 1_000;
/** The statement of the row events that follow. The server sends it to readers that ask for it. */
const QUOTE = "Annotate_rows";
/** No such file, or no event at the position. */
const NO_PLACE = 1220;

type Asked = Pick<Session, "rows">;

export interface ListedPart {
  /** Number of the transaction that begins at the place; null if none does. */
  gtid: string | null;
  /** Events with rows of the table that were sent completely. */
  whole: number;
  /** The next event has rows of the table. */
  nextIsOurs: boolean;
}

/** What a connector has sent of the transaction of MariaDB in which its place lies, by the server's list of events. */
export async function listSent(session: Asked, stored: PlaceInFile, table: TableName): Promise<ListedPart> {
  const count = Number(stored.events);
  const listed = await listEvents(session, stored, count + 1);
  const ours = ourRows(listed, table);
  const [, gtid = null] = listed[0]?.type === "Gtid" ? (/\bGTID (\S+)/.exec(listed[0].info) ?? []) : [];
  return { gtid, whole: ours.slice(0, count).filter(Boolean).length, nextIsOurs: ours[count] ?? false };
}

interface Listed {
  type: string;
  info: string;
}

/** The first events from a place on, of those that the server sends. Empty if the server has no such place. */
async function listEvents(session: Asked, { file, offset, quotes }: PlaceInFile, count: number): Promise<Listed[]> {
  const sent: Listed[] = [];
  for (let skipped = 0; sent.length < count; skipped += PAGE) {
    const page = await readPage(session, `IN ${literalOf(file)} FROM ${offset} LIMIT ${skipped}, ${PAGE}`);
    sent.push(...page.filter(({ type }) => quotes || type !== QUOTE));
    if (page.length < PAGE) break;
  }
  return sent.slice(0, count);
}

async function readPage(session: Asked, where: string): Promise<Listed[]> {
  try {
    const rows = await session.rows(`SHOW BINLOG EVENTS ${where}`);
    return rows.map(([, , type, , , info]) => ({ type: type ?? "", info: info ?? "" }));
  } catch (error) {
    if (errorNumber(error) === NO_PLACE) return [];
    throw error;
  }
}

/**
 * For each event, whether it has inserted rows of the table. An event names its table by a number of an earlier one.
 */
function ourRows(listed: readonly Listed[], { schema, name }: TableName): boolean[] {
  const ours = `(${schema}.${name})`.toLowerCase();
  const numbers = new Map<string, boolean>();
  return listed.map(({ type, info }) => {
    const [, number = ""] = /^table_id: (\d+)/.exec(info) ?? [];
    if (type === "Table_map") numbers.set(number, info.toLowerCase().endsWith(ours));
    return type.startsWith("Write_rows") && (numbers.get(number) ?? false);
  });
}
