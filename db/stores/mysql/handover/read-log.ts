import { AppError } from "#domain/errors.ts";
import type { OutboxRef } from "../../port/outbox-ref.ts";
import { BinlogConnection, type BinlogStart } from "../replication/binlog-connection.ts";
import { type BinlogPlace, fileNumber } from "../replication/binlog-place.ts";
import { namesTable } from "../replication/decode-groups.ts";
import type { LogEvent } from "../replication/log-events.ts";
import { problemOf } from "../replication/open-stream.ts";
import { type LogRow, type LogRowReader, logRowReader, MissingColumnsError } from "../replication/row-reader.ts";

/** A row that the log has as inserted. */
export interface LoggedRow {
  id: string;
  file: string;
  /** Where its event ends in the file. */
  end: number;
  /** The row's number within its event, from 0. */
  index: number;
}

/** A transaction: its number, null where it has none, and where the event with the number ends. */
export interface Begin {
  file: string;
  offset: number;
  gtid: string | null;
}

interface LogListener {
  row(row: LoggedRow): void;
  begins(at: Begin): void;
}

interface Input {
  url: string;
  ref: OutboxRef;
  start: BinlogStart;
  end: Pick<BinlogPlace, "file" | "offset">;
  listener: LogListener;
}

/**
 * Rows of the outbox that the log has between two places, in its order, those of prepared XA transactions among them
 * where they were prepared: so a connector of Debezium reads them. Throws wrong_state, if the server does not send that
 * part of its log.
 */
export async function readLog({ url, ref, start, end, listener }: Input): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const collector = new Collector(ref, listener, start.place.file);
  const isOver = () => {
    const ahead = fileNumber(collector.file) - fileNumber(end.file);
    return ahead > 0 || (ahead === 0 && collector.offset >= end.offset);
  };
  const event = (read: LogEvent) => {
    try {
      if (!isOver()) collector.read(read);
      if (isOver()) resolve();
    } catch (error) {
      reject(error);
    }
  };
  // `promise` may reject before the connection is open and `await` handles it.
  promise.catch(() => undefined);
  try {
    const connection = await BinlogConnection.open({
      ...{ url, table: ref.mapping.table, start },
      events: { event, flushed: () => undefined, lost: reject },
    });
    await promise.finally(() => connection.close());
  } catch (error) {
    throw asSentence(error, ref.name);
  }
}

function asSentence(error: unknown, outbox: string): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof MissingColumnsError) return new AppError("wrong_state", error.message);
  const problem = problemOf(error, `of outbox ${outbox}`);
  return problem.code === "connection" ? error : new AppError("wrong_state", problem.message, { cause: error });
}

class Collector {
  readonly #ref: OutboxRef;
  readonly #listener: LogListener;
  readonly #readers = new Map<number, LogRowReader>();
  file: string;
  offset = 0;

  constructor(ref: OutboxRef, listener: LogListener, file: string) {
    this.#ref = ref;
    this.#listener = listener;
    this.file = file;
  }

  read(event: LogEvent): void {
    switch (event.kind) {
      case "rotate":
      case "heartbeat":
        this.file = event.binlogName;
        this.offset = event.position;
        return;
      case "gtid":
        this.#listener.begins({ file: this.file, offset: event.end, gtid: event.gtid });
        break;
      case "tablemap":
        this.#readers.set(event.tableId, this.#readerOf(event));
        break;
      case "rows":
        this.#rows(event);
        break;
      case "query":
        this.#refuseStatement(event.query);
    }
    if (event.end > 0) this.offset = event.end;
  }

  #readerOf({ columns }: LogEvent & { kind: "tablemap" }): LogRowReader {
    const { mapping } = this.#ref;
    if (columns === null) throw new AppError("wrong_state", withoutNames(mapping.table.name));
    return logRowReader({ mapping, columns, lanes: false, fields: {}, whole: false });
  }

  #rows({ tableId, rows, end, bytes }: LogEvent & { kind: "rows" }): void {
    const reader = this.#readers.get(tableId);
    if (!reader) return;
    for (const [index, row] of rows.entries()) {
      const { id } = reader.read({ row: row as LogRow, transaction: NO_TRANSACTION, ordinal: index, bytes });
      this.#listener.row({ id, file: this.file, end, index });
    }
  }

  /** Debezium publishes no row of a logged statement, and the log does not show which rows it inserted. */
  #refuseStatement(query: string): void {
    const { name } = this.#ref.mapping.table;
    if (!/^\s*(INSERT|REPLACE|LOAD)\b/i.test(query) || !namesTable(query, name)) return;
    throw new AppError(
      "wrong_state",
      `A session logs its changes of ${name} as statements and not as rows: no connector publishes what it inserts. Remove SET SESSION binlog_format from that program first.`,
    );
  }
}

const NO_TRANSACTION = { position: "", committedAtMs: 0, gtid: null };

function withoutNames(table: string): string {
  return `The binary log has rows of ${table} that do not name their columns: binlog_row_metadata was not FULL when they were written. Nothing says which rows those are. Mark by hand what was published: docs/debezium.md.`;
}
