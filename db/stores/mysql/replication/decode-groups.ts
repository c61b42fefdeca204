import { ourCommand } from "#domain/text/our-command.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { Notice } from "../../port/relay/relay-stream.ts";
import { type BinlogPlace, type LogTransaction, positionOf } from "./binlog-place.ts";
import { type BinlogProblem, binlogProblem } from "./binlog-problem.ts";
import type { Checkpoint } from "./checkpoint.ts";
import type { LogEvent } from "./log-events.ts";
import type { PartEnd } from "./read-progress.ts";
import { type LogColumn, type LogRow, type LogRowReader, logRowReader, MissingColumnsError } from "./row-reader.ts";

export interface DecoderInput {
  mapping: OutboxMapping;
  lanes: boolean;
  fields: Readonly<Record<string, string>>;
  whole: boolean;
}

export interface DecoderEvents {
  notice(notice: Notice): void;
  /** A group was read to its end, or the server reported a position while it had nothing to send. */
  ended(end: PartEnd): void;
}

/** Row of an XA transaction that is not committed yet. */
interface Pending {
  reader: LogRowReader;
  row: LogRow;
  bytes: number;
}

/** One group of events: a transaction, or a single statement outside one. */
interface Group {
  transaction: LogTransaction;
  /** Rows of the table so far. */
  rows: number;
  /** Name of the XA transaction that it prepares; empty until it is known, null for any other group. */
  xa: string | null;
  pending: Pending[];
}

/** The log has whole seconds, rounded down. */
const SECOND_MS = 1000;
/** Of the first event of a file. */
const FILE_START = 4;
/** Statements that do not end their group. */
const STAYS_OPEN = /^(BEGIN|START|SAVEPOINT|RELEASE|ROLLBACK TO|SET|INSERT|REPLACE|LOAD|UPDATE|DELETE)\b/i;
/** Statements that add rows. */
const INSERTS = /^(INSERT|REPLACE|LOAD)\b/i;
const XA = /^XA\s+(START|BEGIN|END|COMMIT|ROLLBACK)\s+(.*?)(?:\s+ONE PHASE)?$/is;

/** The log contains an event that cannot be read. */
export class BinlogDecodeError extends Error {
  override readonly name = "BinlogDecodeError";
  readonly problem: BinlogProblem;
  constructor(problem: BinlogProblem) {
    super(problem.message);
    this.problem = problem;
  }
}

/**
 * Turns events of the binary log into notices of one table, in the order of commits. Rows of an XA transaction that is
 * prepared are kept until it is committed.
 */
export class GroupDecoder {
  readonly #input: DecoderInput;
  readonly #events: DecoderEvents;
  readonly #incarnation: number;
  readonly #readers = new Map<number, LogRowReader>();
  /** Rows of prepared XA transactions, with the place before each. */
  readonly #prepared = new Map<string, { before: BinlogPlace; pending: Pending[] }>();
  #group: Group | null = null;
  #place: BinlogPlace;
  /** Rows of the next group that were delivered before the connection was cut. */
  #delivered = 0;
  #readToMs: number;

  constructor(input: DecoderInput, events: DecoderEvents, start: Pick<Checkpoint, "place" | "readToMs">) {
    this.#input = input;
    this.#events = events;
    this.#incarnation = start.place.incarnation;
    this.#place = start.place;
    this.#readToMs = start.readToMs;
  }

  /** The end of the last group that was read completely: reading continues here after a cut. */
  get place(): BinlogPlace {
    return this.#place;
  }

  /** The place before the oldest prepared XA transaction, from which on the log is needed; null without one. */
  get heldAt(): BinlogPlace | null {
    const [oldest] = this.#prepared.values();
    return oldest?.before ?? null;
  }

  /** Call before the log is read again from `place` on. */
  cut(): void {
    this.#delivered = Math.max(this.#delivered, this.#group?.rows ?? 0);
    this.#group = null;
    this.#readers.clear();
  }

  /** Throws BinlogDecodeError. */
  read(event: LogEvent): void {
    switch (event.kind) {
      case "rotate":
        this.#place = { incarnation: this.#incarnation, file: event.binlogName, offset: event.position };
        return;
      case "format":
        this.#requireSameLog(event.timestampMs);
        return;
      case "heartbeat":
        if (!this.#group && event.position > 0) {
          this.#place = { ...this.#place, file: event.binlogName };
          this.#move(event.position, null, event.timestampMs);
        }
        return;
      case "gtid":
        this.#begin(event);
        return;
      case "tablemap":
        this.#readers.set(event.tableId, this.#readerOf(event.columns));
        return;
      case "rows":
        this.#rows(event);
        return;
      case "query":
        this.#query(event);
        return;
      case "xaprepare":
        this.#prepare(event);
        return;
      case "xid":
        this.#end(event);
        return;
    }
  }

  /** A file in the middle of which we continue was created before the last event that was read. */
  #requireSameLog(createdAtMs: number): void {
    const { file, offset } = this.#place;
    if (offset > FILE_START && createdAtMs > this.#readToMs)
      throw new BinlogDecodeError(binlogProblem("log_lost", wasReset(file)));
    this.#readToMs = Math.max(this.#readToMs, createdAtMs);
  }

  #begin({ gtid, end, timestampMs, preparesXa }: LogEvent & { kind: "gtid" }): void {
    const position = positionOf({ ...this.#place, offset: end });
    const transaction = { position, committedAtMs: timestampMs + SECOND_MS, gtid };
    this.#group = { transaction, rows: 0, xa: preparesXa ? "" : null, pending: [] };
  }

  #readerOf(columns: readonly LogColumn[] | null): LogRowReader {
    const { table } = this.#input.mapping;
    if (columns === null) throw new BinlogDecodeError(binlogProblem("metadata", withoutNames(table.name)));
    try {
      return logRowReader({ ...this.#input, columns });
    } catch (error) {
      if (!(error instanceof MissingColumnsError)) throw error;
      throw new BinlogDecodeError(binlogProblem("columns", error.message));
    }
  }

  #rows({ tableId, rows, bytes }: LogEvent & { kind: "rows" }): void {
    const [reader, group] = [this.#readers.get(tableId), this.#group];
    if (!reader || !group) return;
    for (const row of rows) {
      const found = { reader, row: row as LogRow, bytes: Math.ceil(bytes / rows.length) };
      if (group.xa === null) this.#deliver(group, found);
      else group.pending.push(found);
    }
  }

  #deliver(group: Group, { reader, row, bytes }: Pending): void {
    group.rows += 1;
    if (group.rows <= this.#delivered) return;
    this.#events.notice(reader.read({ row, transaction: group.transaction, ordinal: group.rows, bytes }));
  }

  #query(event: LogEvent & { kind: "query" }): void {
    const group = this.#group;
    if (!group) return;
    const text = event.query.trim();
    const [, verb = "", name = ""] = XA.exec(text) ?? [];
    switch (verb.toUpperCase()) {
      case "START":
      case "BEGIN":
      case "END":
        if (group.xa !== null || verb.toUpperCase() !== "END") group.xa = name;
        return;
      case "COMMIT":
        for (const pending of this.#prepared.get(name)?.pending ?? []) this.#deliver(group, pending);
        this.#prepared.delete(name);
        this.#end(event);
        return;
      case "ROLLBACK":
        this.#prepared.delete(name);
        this.#end(event);
        return;
    }
    if (!STAYS_OPEN.test(text)) this.#end(event);
    else if (INSERTS.test(text) && namesTable(text, this.#input.mapping.table.name)) this.#refuse(text);
  }

  /** With marks, the table is searched for rows that the log did not announce. */
  #refuse(text: string): void {
    const { whole, mapping } = this.#input;
    if (!whole) return;
    const [word = ""] = text.split(/\s/);
    throw new BinlogDecodeError(binlogProblem("statement", inStatements(word.toUpperCase(), mapping.table.name)));
  }

  #prepare(event: LogEvent & { kind: "xaprepare" }): void {
    const group = this.#group;
    if (!group) return;
    const { xa, pending } = group;
    if (event.onePhase) for (const found of pending) this.#deliver(group, found);
    else if (xa !== null && pending.length > 0) this.#prepared.set(xa, { before: this.#place, pending });
    this.#end(event);
  }

  #end({ end, timestampMs }: LogEvent): void {
    const group = this.#group;
    if (!group) return;
    this.#group = null;
    this.#delivered = 0;
    this.#move(end, group, timestampMs);
  }

  #move(offset: number, group: Group | null, timestampMs: number): void {
    this.#place = { ...this.#place, offset };
    this.#readToMs = Math.max(this.#readToMs, timestampMs);
    const gtid = group?.transaction.gtid ?? null;
    this.#events.ended({ place: this.#place, gtid, ours: (group?.rows ?? 0) > 0, readToMs: this.#readToMs });
  }
}

/** True if the statement has the name as a whole word. */
export function namesTable(statement: string, table: string): boolean {
  return statement.split(/[^\p{L}\p{N}_$]+/u).includes(table) || statement.includes(`\`${table}\``);
}

function wasReset(file: string): string {
  return `The server's binary log was reset (RESET MASTER or RESET BINARY LOGS AND GTIDS): the file ${file} was created after the reader's position in it was stored. Delete the reader's row in binlog_reader and run ${ourCommand("migrate", "--cdc")}: the reader then begins at the end of the log; rows that were logged meanwhile are found in the table, or are lost with mark none.`;
}

function withoutNames(table: string): string {
  return `The binary log has rows of ${table} that do not name their columns: they were written while binlog_row_metadata was not FULL, or the table has times of an old format, which ALTER TABLE … FORCE renews. Delete the reader's row in binlog_reader and run ${ourCommand("migrate", "--cdc")}: the reader then begins after these rows.`;
}

function inStatements(word: string, table: string): string {
  return `A session logs its changes of ${table} as statements (${word}) and not as rows, so the log does not have these messages. Remove SET SESSION binlog_format from that program, publish by hand what it inserted, and let the reader start again after it.`;
}
