import type { MysqlFlavor, MysqlTestDatabase } from "#tests/mysql.ts";
import type { Offset } from "./changed-outbox.fixture.ts";

type Listed = Record<string, string | null>;

interface Asked {
  database: MysqlTestDatabase;
  flavor: MysqlFlavor;
}

/** The connector's offset once it has sent everything that the log has. */
export async function offsetAtEnd({ database, flavor }: Asked): Promise<Offset> {
  const [end] = await database.query("SHOW MASTER STATUS");
  const place = { file: end?.File, pos: Number(end?.Position) };
  const gtids =
    flavor === "mysql" ? end?.Executed_Gtid_Set?.replace(/\s/g, "") : await gtidsAt(database, place.file, place.pos);
  return { ...place, gtids };
}

/**
 * The connector's offset after the first `rows` rows of the second statement of the outbox's first transaction after an
 * offset. `quotes`: it reads the log with the statements (include.query).
 */
export async function offsetWithin(
  { database, flavor }: Asked,
  { offset, rows, quotes = false }: { offset: Offset; rows: number; quotes?: boolean },
): Promise<Offset> {
  const { file } = offset as { file: string };
  const events = await database.query(`SHOW BINLOG EVENTS IN '${file}' FROM ${offset.pos}`);
  const first = events.findIndex(({ Info }) => Info?.includes(`(${database.name}.outbox_events)`));
  const begins = ({ Event_type, Info }: Listed) => (flavor === "mysql" ? Info === "BEGIN" : Event_type === "Gtid");
  const begin = events.slice(0, first).findLastIndex(begins);
  const sent = events.slice(begin).filter(({ Event_type }) => quotes || Event_type !== "Annotate_rows");
  const [, second = 0] = sent.flatMap(({ Event_type }, index) => (Event_type?.startsWith("Write_rows") ? [index] : []));
  const pos = Number(events[begin]?.Pos);
  const gtids =
    flavor === "mysql"
      ? // Other tests write to the same server: every transaction in between is taken as read.
        [offset.gtids, ...events.slice(0, Math.max(0, begin - 1)).flatMap(numberOf)].join(",")
      : await gtidsAt(database, file, pos);
  return { file, pos, gtids, event: second, row: rows };
}

const numberOf = ({ Info }: Listed) => /GTID_NEXT= '([^']+)'/.exec(Info ?? "")?.[1] ?? [];

async function gtidsAt(database: MysqlTestDatabase, file: string | null | undefined, pos: number) {
  const [row] = await database.query(`SELECT BINLOG_GTID_POS('${file}', ${pos}) AS gtids`);
  return row?.gtids;
}
