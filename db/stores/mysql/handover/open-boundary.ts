import { AppError } from "#domain/errors.ts";
import type { Boundary, ConnectorOffset } from "../../port/handover.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import type { OwnPlace } from "../connection/own-place.ts";
import type { Session } from "../connection/session.ts";
import { orderSql } from "../relay/order-sql.ts";
import { idReader } from "../relay/read-row.ts";
import { type Checkpoint, createReaderSql } from "../replication/checkpoint.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import { readEnd, readVisibleEnd } from "./log-place.ts";
import { openSession } from "./own-session.ts";
import { untilPreparedEnd } from "./prepared.ts";
import { readLog } from "./read-log.ts";
import { waitingSql } from "./waiting-sql.ts";

interface Input {
  url: string;
  place: OwnPlace;
  ref: OutboxRef;
  reader: string;
  waitMs: number;
  most: number;
}

/**
 * The end of the log divides the rows: a snapshot that is taken after it sees every row before it, and the log names
 * those that the snapshot sees beyond it. No producer waits. `keep` records the place; a process that dies before
 * leaves nothing.
 */
export async function openBoundary({ url, place, ref, reader, waitMs, most }: Input): Promise<Boundary> {
  const { session, close } = await openSession(url, place);
  try {
    const begin = await readVisibleEnd(session);
    await untilPreparedEnd(session, waitMs);
    await session.script([
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
      "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
    ]);
    const behind = await readBehind(session, { url, ref, begin, most });
    const unsent = await readUnsent(session, ref, { behind, most });
    await session.run("COMMIT");
    const keep = async () => void (await session.run(createReaderSql(session.own, reader, begin).replace(/;$/, "")));
    return { position: positionOf(begin), offset: offsetOf(begin), unsent, keep, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The position as shown to people. */
export function positionOf({ place, gtids }: Checkpoint): string {
  return gtids ? `${place.file}:${place.offset} (${gtids})` : `${place.file}:${place.offset}`;
}

/** In the form in which Debezium's connectors for MySQL and MariaDB store it between two transactions. */
export function offsetOf({ place, gtids }: Checkpoint): ConnectorOffset {
  return { file: place.file, pos: place.offset, ...(gtids ? { gtids } : {}) };
}

async function readBehind(
  session: Session,
  { url, ref, begin, most }: { url: string; ref: OutboxRef; begin: Checkpoint; most: number },
): Promise<Set<string>> {
  const behind = new Set<string>();
  const row = ({ id }: { id: string }) => {
    behind.add(id);
    if (behind.size > most) throw tooMany(most);
  };
  const { place: end } = await readEnd(session);
  // By GTIDs if the server has them, because a connector then reads by them too.
  const start = begin.gtids === null ? begin : { ...begin, place: { ...begin.place, file: "" } };
  await readLog({ url, ref, start, end, listener: { row, begins: () => undefined } });
  return behind;
}

async function readUnsent(
  session: Session,
  ref: OutboxRef,
  { behind, most }: { behind: ReadonlySet<string>; most: number },
): Promise<string[]> {
  const { columns, id } = idReader(ref.mapping);
  const rows = await session.rows(
    `SELECT ${columns.join(", ")} FROM ${quoteTable(ref.mapping.table)} o WHERE ${waitingSql(session.own, ref)}
     ORDER BY ${orderSql(ref.mapping).columns.join(", ")} LIMIT ${most + behind.size + 1}`,
  );
  const unsent = rows.map(id).filter((one) => !behind.has(one));
  if (unsent.length > most) throw tooMany(most);
  return unsent;
}

function tooMany(most: number): AppError {
  return new AppError("wrong_state", `More than ${most} messages wait. Let the relay publish them first.`);
}
