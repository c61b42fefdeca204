import { errorCode } from "#db/stores/shared/connection/driver-error.ts";
import { messageOf } from "#domain/errors.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import { type Notice, type OpenStream, StreamError, type StreamEvents } from "../../port/relay/relay-stream.ts";
import { explainRefusal } from "../connection/connection-refusal.ts";
import { isConnectionError } from "../connection/database-error.ts";
import { createPublicationSql, createSlotSql, type StreamNames } from "./check-slot.ts";
import { type LogTransaction, lsnOf, positionOf } from "./log-transaction.ts";
import { parsePgoutput } from "./pgoutput.ts";
import { ReplicationConnection } from "./replication-connection.ts";
import { type SlotProblem, slotProblem } from "./slot-problem.ts";
import { MissingColumnsError, type TupleReader, tupleReader } from "./tuple-reader.ts";

/** Opens the stream of one outbox at the slot's last confirmed position. Throws StreamError. */
export async function openStream(input: {
  url: string;
  names: StreamNames;
  mapping: OutboxMapping;
  lanes: boolean;
  fields: Readonly<Record<string, string>>;
  whole: boolean;
  events: StreamEvents;
  /** See ReplicationEvents. */
  isAtWork: () => Promise<boolean>;
}): Promise<OpenStream> {
  const { names, events } = input;
  const decoder = new Decoder(input);
  const connection = new ReplicationConnection({
    url: input.url,
    events: {
      data: (message) => decoder.decode(message),
      keepalive: (walEnd) => {
        if (!decoder.inTransaction) events.position(positionOf(walEnd));
      },
      flushed: () => events.flushed(),
      isAtWork: input.isAtWork,
    },
  });
  decoder.onError = () => void connection.close();
  try {
    await connection.start(names);
  } catch (error) {
    throw new StreamError(problemOf(error, names), error);
  }
  return {
    confirm: (position) => connection.confirm(lsnOf(position)),
    pause: () => connection.pause(),
    resume: () => connection.resume(),
    ended: connection.ended.then((error) => decoder.problem ?? (error ? problemOf(error, names) : null)),
    close: () => connection.close(),
  };
}

interface DecoderInput {
  names: StreamNames;
  mapping: OutboxMapping;
  lanes: boolean;
  fields: Readonly<Record<string, string>>;
  whole: boolean;
  events: StreamEvents;
}

/** Decodes messages of the output plugin into notices of one table. */
class Decoder {
  readonly #input: DecoderInput;
  readonly #readers = new Map<number, TupleReader>();
  #transaction: LogTransaction | null = null;
  #ordinal = 0;
  problem: SlotProblem | null = null;
  onError: () => void = () => undefined;

  constructor(input: DecoderInput) {
    this.#input = input;
  }

  get inTransaction(): boolean {
    return this.#transaction !== null;
  }

  /** Ends the stream on an error instead of throwing, because the stream would go on after the failed message. */
  decode(data: Buffer): void {
    if (this.problem) return;
    try {
      this.#decode(data);
    } catch (error) {
      const message = messageOf(error);
      const code = error instanceof MissingColumnsError ? "columns" : "connection";
      this.problem = slotProblem(code, message);
      this.onError();
    }
  }

  #decode(data: Buffer): void {
    const { events, names } = this.#input;
    const message = parsePgoutput(data);
    switch (message.kind) {
      case "begin":
        this.#transaction = { ...message, position: positionOf(message.commitLsn) };
        this.#ordinal = 0;
        return;
      case "commit":
        this.#transaction = null;
        events.commit(positionOf(message.endLsn));
        return;
      case "relation": {
        const ours = message.schema === names.table.schema && message.name === names.table.name;
        // Other tables belong to other outboxes: a publication may serve several.
        if (ours) this.#readers.set(message.oid, tupleReader({ ...this.#input, relation: message }));
        else this.#readers.delete(message.oid);
        return;
      }
      case "insert": {
        const notice = this.#noticeOf(message.oid, message.tuple);
        if (notice) events.notice(notice);
        return;
      }
      case "other":
        return;
    }
  }

  #noticeOf(oid: number, tuple: Buffer): Notice | null {
    const reader = this.#readers.get(oid);
    if (!reader || !this.#transaction) return null;
    this.#ordinal += 1;
    return reader.read(tuple, this.#transaction, this.#ordinal);
  }
}

function problemOf(error: unknown, names: StreamNames): SlotProblem {
  const said = messageOf(error);
  const code = errorCode(error);
  if (code === "55006")
    return slotProblem("slot_in_use", `The slot ${names.slot} is being read by someone else: ${said}.`);
  if (code === "42704" && said.includes("publication")) {
    return slotProblem(
      "publication_missing",
      `There is no publication ${names.publication}.`,
      createPublicationSql(names),
    );
  }
  if (code === "42704") {
    return slotProblem("slot_missing", `There is no replication slot ${names.slot}.`, createSlotSql(names));
  }
  if (code === "42501" || code === "28000") {
    return slotProblem("permission", `The database user may not read the log: ${said}.`);
  }
  if (code === "55000" || code === "58P01") {
    return slotProblem("slot_lost", `The slot ${names.slot} cannot be read any more: ${said}.`, createSlotSql(names));
  }
  const refusal = explainRefusal(error, "the outbox");
  if (refusal !== null) return slotProblem("connection", refusal);
  const what = isConnectionError(error) ? "The connection to the log was lost" : "The log cannot be read";
  return slotProblem("connection", `${what}: ${said}.`);
}
