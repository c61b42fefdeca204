import { AppError } from "#domain/errors.ts";
import type { PlaceInFile } from "../../port/handover.ts";
import type { TableName } from "../../port/mapping.ts";
import { literalOf } from "../connection/literal.ts";
import type { Session } from "../connection/session.ts";
import type { IsSent, RowOfFirst } from "./judge-sent.ts";
import { listSent } from "./list-sent.ts";
import type { Begin, LoggedRow } from "./read-log.ts";

type Asked = Pick<Session, "rows" | "script" | "server">;

/** The first transaction read from a connector's place: the one in which the place lies, if it lies in one. */
export class FirstTransaction {
  readonly rows: RowOfFirst[] = [];
  readonly #stored: PlaceInFile;
  readonly #table: TableName;
  /** Number of transactions that have begun. */
  #begun: number;
  #begin: Begin;
  /** Number of events with rows of the table. */
  #events = 0;

  constructor(stored: PlaceInFile, table: TableName) {
    this.#stored = stored;
    this.#table = table;
    this.#begin = { file: stored.file, offset: Number(stored.offset), gtid: null };
    // A read from a place in a file starts at the transaction's BEGIN, after the event with its number.
    this.#begun = stored.transactions === null ? 1 : 0;
  }

  begins(at: Begin): void {
    this.#begun += 1;
    if (this.#begun === 1) this.#begin = at;
  }

  takes(row: LoggedRow): boolean {
    const { events, rows } = this.#stored;
    if (this.#begun > 1 || (events === null && rows === null)) return false;
    if (row.index === 0) this.#events += 1;
    this.rows.push({ ...row, order: this.#events - 1 });
    return true;
  }

  /**
   * Asks the server which events were sent; a connector counts events as the server sends them. Null if the place does
   * not say it. Throws wrong_state, if the place lies in another transaction.
   */
  async sent(session: Asked): Promise<IsSent | null> {
    if (this.#stored.events === null) return null;
    return session.server.flavor === "mariadb" ? this.#inMariadb(session) : this.#inMysql(session);
  }

  async #inMysql(session: Asked): Promise<IsSent | null> {
    const { events, rows } = this.#stored;
    if (this.rows.length === 0) return null;
    const from = `SHOW BINLOG EVENTS IN ${literalOf(this.#begin.file)} FROM ${this.#begin.offset} LIMIT`;
    const [first, next] = await session.script([`${from} 1`, `${from} ${events}, 1`]);
    const [, upTo, , , nextEnd] = next?.rows[0] ?? [];
    if (first?.rows[0]?.[5] !== "BEGIN" || upTo == null || nextEnd == null) return null;
    return ({ end, index }) => end <= Number(upTo) || (end === Number(nextEnd) && index < Number(rows ?? 0));
  }

  /**
   * Its first event has the transaction's number, and the place names that event, too: it must be the same one. Row
   * events are told apart by their order, because servers from 11.4 on do not say where the events inside a transaction
   * end.
   */
  async #inMariadb(session: Asked): Promise<IsSent | null> {
    const { rows } = this.#stored;
    const listed = await listSent(session, this.#stored, this.#table);
    const { gtid } = this.#begin;
    if (gtid === null || listed.gtid !== gtid) throw elsewhere(gtid);
    if (listed.whole > this.#events) return null;
    const divided = listed.nextIsOurs ? Number(rows ?? 0) : 0;
    return ({ order, index }) => order < listed.whole || (order === listed.whole && index < divided);
  }
}

function elsewhere(gtid: string | null): AppError {
  const next = gtid === null ? "the log has none after it" : `the next one in the log is ${gtid}`;
  return new AppError(
    "wrong_state",
    `The connector's offset lies within a transaction that does not follow those that the offset calls finished: ${next}. Start the connector, let it publish what is in the log, and run this again; or mark by hand what was published: docs/debezium.md.`,
  );
}
