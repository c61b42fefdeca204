import {
  type Notice,
  type OpenStream,
  StreamError,
  type StreamEvents,
  type StreamProblem,
} from "../../port/relay/relay-stream.ts";
import { nowText } from "../items/instant.ts";
import { isOfFamily } from "../items/read-items.ts";
import { serverNowMs } from "../own-table/terms.ts";
import { candidateOf, isUnsent } from "../relay/read-item.ts";
import type { RelayContext } from "../relay/relay-context.ts";
import { type Checkpoints, forgetShards, putReader, putShards, type ReaderDoc } from "./checkpoints.ts";
import { followShards } from "./follow-shards.ts";
import type { StreamCalls, StreamRecord } from "./stream-calls.ts";
import { trimmedProblem } from "./stream-problem.ts";
import { TrackedPositions } from "./tracked-positions.ts";

const STORE_EVERY_MS = 1_000;
/** A stream that is switched off goes silent without an error, so the table is checked at this interval. */
const LOOK_EVERY_MS = 5_000;

export interface OpeningStream {
  context: RelayContext;
  calls: StreamCalls;
  name: string;
  /** The table's partition key. */
  tableHash: string;
  checkpoints: Checkpoints;
  /** The last number that this process has given. */
  from: number;
  /** Why the stream no longer belongs to the table; null while it does. */
  look(): Promise<StreamProblem | null>;
}

/** An open reader; `lagSeconds`: age of the oldest record that was read and not confirmed, 0 if there is none. */
export interface ShardStream extends OpenStream {
  lagSeconds(): number;
  told(): number;
}

/** Reads the stream from its checkpoints on, and keeps them in our own table as positions are confirmed. */
export function openShardStream(opening: OpeningStream, events: StreamEvents): ShardStream {
  const { context, calls, name, checkpoints } = opening;
  const { room, outbox } = context;
  const { arn } = checkpoints.reader;
  const stopping = new AbortController();
  const positions = new TrackedPositions(opening.from);
  const gate = new Gate();
  let reader: ReaderDoc = checkpoints.reader;
  let lost = false;
  let storing = Promise.resolve();
  let isMoved = false;
  let failed: StreamProblem | null = null;

  const store = () => {
    storing = storing.then(async () => {
      if (!isMoved) return;
      isMoved = false;
      const { position, writtenAtMs } = positions.confirmed;
      const moved = positions.takeMoved();
      const confirmedAt = writtenAtMs === null ? reader.confirmedAt : nowText(writtenAtMs);
      reader = { ...reader, confirmed: position, confirmedAt, lostAt: lost ? reader.lostAt : null };
      // Shards first. If only some of these writes succeed, records after an old place are read again.
      await putShards(room.own, { outbox, name, arn }, moved);
      await putReader(room.own, outbox, name, reader);
    });
    return storing;
  };
  const fail = (error: unknown) => {
    failed ??= problemOf(error);
    stopping.abort();
    gate.release();
  };
  const look = async () => {
    const problem = await opening.look();
    if (problem) fail(new StreamError(problem));
  };
  const timers = [
    setInterval(() => void store().catch(fail), STORE_EVERY_MS),
    setInterval(() => void look().catch(fail), LOOK_EVERY_MS),
  ];

  const onRecords = (shard: string, records: readonly StreamRecord[]) => {
    let last: string | null = null;
    let told = false;
    for (const record of records) {
      const position = positions.tell(shard, { sequence: record.sequence, done: false }, record.writtenAtMs);
      const notice = noticeOf(opening, record, position);
      if (notice) {
        events.notice(notice);
        events.commit(position);
        told = true;
      }
      last = position;
    }
    if (last !== null) events.position(last);
    if (told) events.flushed();
  };
  const reading = followShards({
    calls,
    arn,
    positions: checkpoints.shards,
    signal: stopping.signal,
    events: {
      records: onRecords,
      ended: (shard) => events.position(positions.tell(shard, { sequence: null, done: true }, null)),
      lost: (shard) => {
        lost = true;
        reader = { ...reader, lostAt: nowText(serverNowMs(room.link)) };
        // A shard that is not kept any more must not keep a stored place.
        void forgetShards(room.own, outbox, name, [shard])
          .then(() => putReader(room.own, outbox, name, reader))
          .then(() => fail(new StreamError(trimmedProblem(room.family.table))))
          .catch(fail);
      },
      room: () => gate.open(),
    },
  });
  const ended = reading.catch(fail).then(async () => {
    for (const timer of timers) clearInterval(timer);
    await store().catch(fail);
    return failed;
  });
  return {
    confirm: (position) => {
      if (positions.confirm(position)) isMoved = true;
    },
    pause: () => gate.close(),
    resume: () => gate.release(),
    ended,
    close: async () => {
      stopping.abort();
      gate.release();
      await ended;
    },
    lagSeconds: () => {
      const { oldestMs } = positions;
      return oldestMs === null ? 0 : Math.max(0, (serverNowMs(room.link) - oldestMs) / 1000);
    },
    told: () => positions.count,
  };
}

/** Notice of a new unsent item of the family. Changes of items are found by polling or by the retry path. */
function noticeOf({ context, tableHash }: OpeningStream, record: StreamRecord, position: string): Notice | null {
  const { room, mapping } = context;
  const { image } = record;
  if (record.kind !== "INSERT" || !image) return null;
  if (!isOfFamily(image, room.family, { KeySchema: [{ AttributeName: tableHash, KeyType: "HASH" }] })) return null;
  if (!isUnsent({ mapping }, image, nowText(serverNowMs(room.link)))) return null;
  const { id, aggregateKey, order } = candidateOf(context, image);
  return {
    ...{ id, aggregateKey, order, message: null, bytes: record.bytes },
    transaction: { committedAtMs: record.writtenAtMs, position },
  };
}

function problemOf(error: unknown): StreamProblem {
  if (error instanceof StreamError) return error.problem;
  const message = error instanceof Error ? `The stream could not be read: ${error.message}` : String(error);
  return { code: error instanceof Error ? error.name : "unknown", passes: true, message, sql: null };
}

/** Holds readers back while it is closed. */
class Gate {
  #waiting: (() => void)[] = [];
  #closed = false;

  close(): void {
    this.#closed = true;
  }

  release(): void {
    this.#closed = false;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async open(): Promise<void> {
    if (this.#closed) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
