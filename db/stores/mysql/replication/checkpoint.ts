import { datetimeOf, rfc3339 } from "../connection/instant.ts";
import { literalOf, quoteName } from "../connection/literal.ts";
import type { OwnTables, Session } from "../connection/session.ts";
import { ownName } from "../relay/relay-context.ts";
import { type BinlogPlace, positionOf } from "./binlog-place.ts";

/** How far a reader has read the log. */
export interface Checkpoint {
  /** The server whose file and offset the place has. */
  server: string;
  /** Without a file on a server that took over: only the transactions are known. */
  place: BinlogPlace;
  /** Transactions read, as the server writes a set of them; null where it does not number them. */
  gtids: string | null;
  /** When the last event read was written, ms since 1970 on the server's clock. */
  readToMs: number;
}

/** Null if there is none for the reader. Index: primary key of binlog_reader. */
export async function readCheckpoint(
  session: Pick<Session, "rows">,
  own: OwnTables,
  reader: string,
): Promise<Checkpoint | null> {
  const [row] = await session.rows(
    `SELECT server, incarnation, file, ${quoteName("offset")}, gtids, read_to FROM ${ownName(own.binlogReader)} WHERE reader = ?`,
    [reader],
  );
  if (!row) return null;
  const [server, incarnation, file, offset, gtids, readTo] = row;
  return {
    server: server ?? "",
    place: { incarnation: Number(incarnation), file: file ?? "", offset: Number(offset) },
    gtids: gtids ?? null,
    readToMs: Date.parse(rfc3339(readTo ?? "")),
  };
}

const COLUMNS = ["position", "server", "incarnation", "file", "offset", "gtids", "read_to"];

function valuesOf({ server, place, gtids, readToMs }: Checkpoint): string[] {
  const { incarnation, file, offset } = place;
  const readTo = datetimeOf(new Date(readToMs).toISOString());
  return [positionOf(place), server, incarnation, file, offset, gtids, readTo].map(literalOf);
}

/** Statement that creates a reader which begins at the checkpoint; it fails if there is one of that name. */
export function createReaderSql(own: OwnTables, reader: string, checkpoint: Checkpoint): string {
  return `INSERT INTO ${ownName(own.binlogReader)} (reader, ${columnList()}) VALUES (${[literalOf(reader), ...valuesOf(checkpoint)].join(", ")});`;
}

/** Statement that makes a reader start again at the checkpoint, from any earlier position. */
export function resetReaderSql(own: OwnTables, reader: string, checkpoint: Checkpoint): string {
  return `REPLACE INTO ${ownName(own.binlogReader)} (reader, ${columnList()}) VALUES (${[literalOf(reader), ...valuesOf(checkpoint)].join(", ")});`;
}

/**
 * Moves the checkpoint on, never back. Index: primary key of binlog_reader.
 * Race: another instance that reads the same log; what either confirms is settled, so the later place counts.
 */
export async function moveCheckpoint(
  session: Pick<Session, "run">,
  own: OwnTables,
  reader: string,
  checkpoint: Checkpoint,
): Promise<void> {
  const values = valuesOf(checkpoint);
  const changes = COLUMNS.map((name, index) => `${quoteName(name)} = ${values[index]}`);
  await session.run(
    `UPDATE ${ownName(own.binlogReader)} SET ${changes.join(", ")} WHERE reader = ${literalOf(reader)} AND position < ${values[0]}`,
  );
}

function columnList(): string {
  return COLUMNS.map(quoteName).join(", ");
}
