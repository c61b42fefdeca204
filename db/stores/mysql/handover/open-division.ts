import { AppError } from "#domain/errors.ts";
import type { Division, PlaceInFile, StoredPlace } from "../../port/handover.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { literalOf } from "../connection/literal.ts";
import type { OwnPlace } from "../connection/own-place.ts";
import type { Session } from "../connection/session.ts";
import { idReader } from "../relay/read-row.ts";
import { quoteTable } from "../tables/mapping-sql.ts";
import { judgeSent, type SentPart } from "./judge-sent.ts";
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
 * A snapshot of the unsent rows, less those that the log has behind a connector's place. The log is read up to an end that
 * is taken after the snapshot, so it has every row that the snapshot sees and the connector has not sent; rows that the
 * snapshot does not see are left alone.
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
  const first = new FirstTransaction(stored);
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
  const judged = judgeSent(first.rows, await first.sentPart(session));
  for (const id of judged.behind) behind.add(id);
  return { behind, doubtful: judged.doubtful };
}

/** Throws wrong_state if the connector has read transactions that this server does not have. */
async function requireKnown(session: Session, { transactions }: PlaceInFile, executed: string | null): Promise<void> {
  if (transactions === null) return;
  const [row] = await session.rows(`SELECT GTID_SUBSET(${literalOf(transactions)}, ${literalOf(executed ?? "")})`);
  if (row?.[0] === "1") return;
  throw new AppError(
    "wrong_state",
    "The connector has read transactions (GTID) that this server does not have: its log was reset, or another server answers. Mark by hand what was published: docs/debezium.md.",
  );
}

/** The first transaction read from a connector's place: the one in which the place lies, if it lies in one. */
class FirstTransaction {
  readonly rows: LoggedRow[] = [];
  readonly #stored: PlaceInFile;
  /** Number of transactions that have begun. */
  #begun: number;
  #at: { file: string; offset: number };

  constructor(stored: PlaceInFile) {
    this.#stored = stored;
    this.#at = { file: stored.file, offset: Number(stored.offset) };
    // A read from a place in a file starts at the transaction's BEGIN, after the event with its number.
    this.#begun = stored.transactions === null ? 1 : 0;
  }

  begins(at: { file: string; offset: number }): void {
    this.#begun += 1;
    if (this.#begun === 1) this.#at = at;
  }

  takes(row: LoggedRow): boolean {
    const { events, rows } = this.#stored;
    if (this.#begun > 1 || (events === null && rows === null)) return false;
    this.rows.push(row);
    return true;
  }

  /** Asks the server where the sent events end; a connector counts events as the server lists them. */
  async sentPart(session: Session): Promise<SentPart | null> {
    const { events, rows } = this.#stored;
    if (this.rows.length === 0 || events === null) return null;
    const from = `SHOW BINLOG EVENTS IN ${literalOf(this.#at.file)} FROM ${this.#at.offset} LIMIT`;
    const [first, next] = await session.script([`${from} 1`, `${from} ${events}, 1`]);
    const [, upTo, , , end] = next?.rows[0] ?? [];
    if (first?.rows[0]?.[5] !== "BEGIN" || upTo == null || end == null) return null;
    return { upTo: Number(upTo), next: { end: Number(end), rows: Number(rows ?? 0) } };
  }
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
