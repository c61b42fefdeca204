import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { messageOf } from "#domain/errors.ts";
import { type OpenStream, StreamError, type StreamEvents } from "../../port/relay/relay-stream.ts";
import type { StreamPosition } from "../../port/relay/stream-transaction.ts";
import { explainRefusal } from "../connection/connection-refusal.ts";
import { errorNumber, isConnectionError } from "../connection/database-error.ts";
import { BinlogConnection } from "./binlog-connection.ts";
import { positionOf } from "./binlog-place.ts";
import { type BinlogProblem, binlogProblem } from "./binlog-problem.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { CheckpointWriter } from "./checkpoint-writer.ts";
import { BinlogDecodeError, type DecoderInput, GroupDecoder } from "./decode-groups.ts";
import type { LogEvent } from "./log-events.ts";
import { ReadProgress } from "./read-progress.ts";

/** Longest time, ms, for which a paused connection is kept: the server would end it, and keeps its files for it. */
const PAUSED_MS = 20_000;

export interface OpenStreamInput extends DecoderInput {
  url: string;
  reader: string;
  checkpoint: Checkpoint;
  events: StreamEvents;
  /** Writes the checkpoint. */
  move(checkpoint: Checkpoint): Promise<void>;
  /** Called as the stream ends, with the checkpoint that it reached. */
  confirmed(checkpoint: Checkpoint): void;
  /** Longest time for which a paused connection is kept, ms; 20,000 if left out. */
  pausedMs?: number;
}

/** Opens the log of one outbox at a checkpoint. Throws StreamError. */
export async function openBinlogStream(input: OpenStreamInput): Promise<OpenStream> {
  const stream = new BinlogStream(input);
  await stream.start();
  return stream;
}

class BinlogStream implements OpenStream {
  readonly #input: OpenStreamInput;
  readonly #progress: ReadProgress;
  readonly #decoder: GroupDecoder;
  readonly #writer: CheckpointWriter;
  readonly #ending = Promise.withResolvers<BinlogProblem | null>();
  readonly ended = this.#ending.promise;
  #connection: BinlogConnection | null = null;
  #opening: Promise<void> = Promise.resolve();
  #paused = false;
  #over = false;
  #parting: NodeJS.Timeout | undefined;

  constructor(input: OpenStreamInput) {
    const { checkpoint, events } = input;
    this.#input = input;
    this.#progress = new ReadProgress(checkpoint);
    this.#writer = new CheckpointWriter(this.#progress, !input.whole, input.move);
    this.#decoder = new GroupDecoder(
      input,
      {
        notice: (notice) => events.notice(notice),
        ended: (end) => {
          const position = this.#progress.read(end);
          if (end.ours) events.commit(position);
          else events.position(position);
        },
      },
      checkpoint,
    );
  }

  async start(): Promise<void> {
    try {
      await this.#connect();
    } catch (error) {
      throw new StreamError(problemOf(error, this.#input.reader), error);
    }
  }

  confirm(position: StreamPosition): void {
    const held = this.#decoder.heldAt;
    const limit = held === null ? position : positionOf(held);
    this.#writer.confirm(limit < position ? limit : position);
  }

  pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#connection?.pause();
    this.#parting = setTimeout(() => void this.#part(), this.#input.pausedMs ?? PAUSED_MS);
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    clearTimeout(this.#parting);
    if (this.#connection) this.#connection.resume();
    else if (!this.#over) this.#opening = this.#opening.then(() => this.#reconnect());
  }

  async close(): Promise<void> {
    if (!this.#over) {
      this.#over = true;
      clearTimeout(this.#parting);
      await this.#opening;
      await this.#connection?.close();
      this.#input.confirmed(this.#progress.checkpoint);
      await this.#writer.close();
      this.#ending.resolve(null);
    }
    await this.ended;
  }

  async #connect(): Promise<void> {
    const { url, mapping, checkpoint } = this.#input;
    const { place } = this.#decoder;
    const connection = await BinlogConnection.open({
      url,
      table: mapping.table,
      start: { place, gtids: checkpoint.gtids },
      events: {
        event: (event) => this.#read(event),
        flushed: () => this.#input.events.flushed(),
        lost: (error) => void this.#fail(problemOf(error, this.#input.reader)),
      },
    });
    this.#connection = connection;
    if (this.#paused) connection.pause();
    if (this.#failure) await this.#fail(this.#failure);
  }

  /** Set by an event that cannot be read, until the stream has ended. */
  #failure: BinlogProblem | null = null;

  #read(event: LogEvent): void {
    if (this.#over || this.#failure) return;
    try {
      this.#decoder.read(event);
    } catch (error) {
      this.#failure = error instanceof BinlogDecodeError ? error.problem : problemOf(error, this.#input.reader);
      if (this.#connection) void this.#fail(this.#failure);
    }
  }

  /** Closes the connection of a stream that stays paused; `resume` opens another where this one was cut. */
  async #part(): Promise<void> {
    const connection = this.#connection;
    this.#connection = null;
    this.#decoder.cut();
    this.#opening = this.#opening.then(() => connection?.close());
    await this.#opening;
  }

  async #reconnect(): Promise<void> {
    if (this.#over || this.#connection) return;
    try {
      await this.#connect();
    } catch (error) {
      await this.#fail(problemOf(error, this.#input.reader));
    }
  }

  async #fail(problem: BinlogProblem): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#parting);
    await this.#connection?.close();
    this.#input.confirmed(this.#progress.checkpoint);
    // Not awaited: the server may be the one that does not answer.
    void this.#writer.close();
    this.#ending.resolve(problem);
  }
}

/** The server's numbers: fatal error reading the log, could not find the file, purged GTIDs. */
const NOT_THERE = new Set([1236, 1373, 1789, 1955]);
/** The server's numbers for a missing privilege. */
const NOT_PERMITTED = new Set([1227, 1045]);

/** A sentence of an error that the binary log's connection met. */
export function problemOf(error: unknown, reader: string): BinlogProblem {
  const said = messageOf(error);
  const number = errorNumber(error) ?? 0;
  if (NOT_THERE.has(number))
    return binlogProblem("log_lost", `The server does not send its binary log to the reader ${reader}: ${said}.`);
  if (NOT_PERMITTED.has(number))
    return binlogProblem("permission", `The account may not read the binary log: ${said}. It needs REPLICATION SLAVE.`);
  const refusal = explainRefusal(error, "the outbox");
  if (refusal !== null) return binlogProblem("connection", refusal);
  if (isConnectionError(error) || errorCode(error) === "ETIMEDOUT")
    return binlogProblem("connection", `The connection to the binary log was lost: ${said}.`);
  return binlogProblem("decoding", `The binary log cannot be read: ${said}.`);
}
