import { AppError } from "#domain/errors.ts";
import type { Division, PlaceInFile, StoredPlace } from "../../port/handover.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { literalOf } from "../connection/literal.ts";
import type { OwnPlace } from "../connection/own-place.ts";
import type { Session } from "../connection/session.ts";
import { idReader } from "../relay/read-row.ts";
import { hasMariadbGtids } from "../replication/gtid-set.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import { FirstTransaction } from "./first-transaction.ts";
import { judgeSent } from "./judge-sent.ts";
import { readEnd } from "./log-place.ts";
import { openSession } from "./own-session.ts";
import { untilPreparedEnd } from "./prepared.ts";
import { type LoggedRow, readLog } from "./read-log.ts";
import { waitingSql } from "./waiting-sql.ts";
import { afterKey, keyOrder } from "./walk-by-key.ts";

const PAGE = 1_000;
const PREPARED_WAIT_MS = 60_000;

interface Input {
  url: string;
  place: OwnPlace;
  ref: OutboxRef;
  stored: StoredPlace | null;
  most: number;
}

/**
 * A snapshot of the unsent rows, less those that the log has behind a connector's place. The log is read up to an end
 * that is taken after the snapshot, so it has every row that the snapshot sees and the connector has not sent; rows
 * that the snapshot does not see are left alone.
 */
export async function openDivision({ url, place, ref, stored, most }: Input): Promise<Division> {
  if (stored?.by !== "file")
    throw new AppError("wrong_state", "The offset that Connect has stored is no position in a binary log.");
  const { session, close } = await openSession(url, place);
  try {
    await untilPreparedEnd(session, PREPARED_WAIT_MS);
    await session.script([
      "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ",
      "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
    ]);
    const { behind, doubtful } = await readBehind(session, { url, ref, stored, most });
    return { behind: behind.size, doubtful, close, next: walk(session, ref, behind) };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Reading {
  url: string;
  ref: OutboxRef;
  stored: PlaceInFile;
  most: number;
}

async function readBehind(session: Session, { url, ref, stored, most }: Reading) {
  const { place: end, gtids: executed } = await readEnd(session);
  await requireKnown(session, stored, executed);
  const behind = new Set<string>();
  const first = new FirstTransaction(stored, ref.mapping.table);
  const row = (logged: LoggedRow) => {
    if (!first.takes(logged)) behind.add(logged.id);
    if (behind.size + first.rows.length > most)
      throw new AppError(
        "invalid_input",
        `More than ${most} messages come after the position: begin nearer to the end.`,
      );
  };
  const file = { incarnation: 0, file: stored.file, offset: Number(stored.offset) };
  const start =
    stored.transactions === null
      ? { place: file, gtids: null }
      : { place: { ...file, file: "" }, gtids: stored.transactions };
  await readLog({ url, ref, start, end, listener: { row, begins: (at) => first.begins(at) } });
  const judged = judgeSent(first.rows, await first.sent(session));
  for (const id of judged.behind) behind.add(id);
  return { behind, doubtful: judged.doubtful };
}

/** Throws wrong_state if the connector has read transactions that this server does not have. */
async function requireKnown(session: Session, { transactions }: PlaceInFile, executed: string | null): Promise<void> {
  const mariadb = session.server.flavor === "mariadb";
  if (transactions === null && !mariadb) return;
  if (transactions === null)
    throw new AppError(
      "wrong_state",
      "The offset that Connect has stored names no transactions (GTID), by which MariaDB's log is read. Mark by hand what was published: docs/debezium.md.",
    );
  if (mariadb ? hasMariadbGtids(executed ?? "", transactions) : await hasGtids(session, executed, transactions)) return;
  throw new AppError(
    "wrong_state",
    "The connector has read transactions (GTID) that this server does not have: its log was reset, or another server answers. Mark by hand what was published: docs/debezium.md.",
  );
}

async function hasGtids(session: Session, executed: string | null, transactions: string): Promise<boolean> {
  const [row] = await session.rows(`SELECT GTID_SUBSET(${literalOf(transactions)}, ${literalOf(executed ?? "")})`);
  return row?.[0] === "1";
}

/** Pages of the unsent rows that are not behind, in the order of the key. */
function walk(session: Session, ref: OutboxRef, behind: ReadonlySet<string>): () => Promise<string[] | null> {
  const { columns, id } = idReader(ref.mapping);
  let last: readonly (string | null)[] | null = null;
  const page = () =>
    session.rows(
      `SELECT ${columns.join(", ")} FROM ${quoteTable(ref.mapping.table)} o
       WHERE ${waitingSql(session.own, ref)}${last === null ? "" : ` AND ${afterKey(ref.mapping, last)}`}
       ORDER BY ${keyOrder(ref.mapping)} LIMIT ${PAGE}`,
    );
  return async () => {
    for (;;) {
      const rows = await page();
      last = rows.at(-1) ?? last;
      if (rows.length === 0) return null;
      const sent = rows.map(id).filter((one) => !behind.has(one));
      if (sent.length > 0) return sent;
    }
  };
}
