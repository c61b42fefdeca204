import type { Connection } from "@platformatic/kafka";
import type { Failure } from "#domain/failure.ts";
import { PUBLISHED } from "../sink.ts";
import { failureOfCode, failureOfError, isTimeout, verdictOf } from "./classify.ts";
import type { Cluster } from "./cluster.ts";
import { type Chunk, Lane } from "./lane.ts";
import { type PartitionAnswer, PRODUCE_KEY, partitionName, produce } from "./produce.ts";
import type { Entry } from "./publish-call.ts";
import { type Compression, encodeBatch, type ProducerIdentity } from "./record-batch.ts";
import type { Topics } from "./topics.ts";

interface Under {
  lane: Lane;
  chunk: Chunk;
}

const MOST_RENEWALS = 3;
/** A request with more than this is split over the next rounds: brokers refuse requests above 100 MB. */
const REQUEST_BYTES = 16_000_000;
const [LEADER_NOT_AVAILABLE, TOO_LARGE, LIST_TOO_LARGE] = [5, 10, 18];

/**
 * An idempotent producer: one batch at a time in each partition, each with the sequence that lets the broker recognise it,
 * and an outcome for every record that is true for this record.
 */
export class Producer {
  readonly #cluster: Cluster;
  readonly #topics: Topics;
  readonly #options: { timeoutMs: number; maxBatchBytes: number; compression: Compression };
  readonly #lanes = new Map<string, Lane>();
  readonly #ready = new Set<Lane>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #throttledUntilMs = new Map<number, number>();
  #identity: Promise<ProducerIdentity> | null = null;
  #current: ProducerIdentity | null = null;
  #scheduled = false;
  #closed = false;

  constructor(
    cluster: Cluster,
    topics: Topics,
    options: { timeoutMs: number; maxBatchBytes: number; compression: Compression },
  ) {
    this.#cluster = cluster;
    this.#topics = topics;
    this.#options = options;
  }

  add(entry: Entry): void {
    const name = partitionName(entry.to.topic, entry.to.partition);
    let lane = this.#lanes.get(name);
    if (lane === undefined) {
      lane = new Lane(entry.to, this.#options.maxBatchBytes);
      this.#lanes.set(name, lane);
    }
    lane.push(entry);
    this.#wake(lane);
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #wake(lane: Lane): void {
    if (lane.busy || this.#closed || !lane.hasWork) return;
    this.#ready.add(lane);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#pump());
  }

  #pump(): void {
    this.#scheduled = false;
    const byLeader = Map.groupBy(this.#ready, ({ to }) => this.#topics.leaderOf(to.topic, to.partition));
    this.#ready.clear();
    for (const [leader, lanes] of byLeader) {
      for (const lane of lanes) lane.busy = true;
      const waitMs = (this.#throttledUntilMs.get(leader) ?? 0) - performance.now();
      if (waitMs > 0) this.#throttled(lanes, waitMs);
      else void this.#round(leader, lanes);
    }
  }

  /** One request with a batch for each of the lanes. Whatever happens, each lane is free again or waits for its timer. */
  async #round(leader: number, lanes: Lane[]): Promise<void> {
    if (leader < 0) {
      for (const lane of lanes) void this.#refreshed(lane, failureOfCode(LEADER_NOT_AVAILABLE, describe(lane)));
      return;
    }
    let connection: Connection;
    let identity: ProducerIdentity;
    let maxVersion: number;
    try {
      connection = await this.#cluster.connectionTo(leader);
      maxVersion = await this.#cluster.maxVersion(connection, PRODUCE_KEY);
      identity = await this.#identityFrom(connection);
    } catch (error) {
      await this.#notSent(lanes, error);
      return;
    }
    const under = await this.#form(lanes, identity);
    if (under.length === 0 || this.#closed) return;
    if (!connection.isConnected()) {
      for (const { lane, chunk } of under) if (lane.kept !== chunk) lane.putBack(chunk.entries);
      await this.#notSent(
        under.map(({ lane }) => lane),
        new Error("The connection was lost before anything was sent"),
      );
      return;
    }
    const batches = under.map(({ lane, chunk }) => ({ ...lane.to, batch: chunk.batch as Buffer }));
    try {
      const { timeoutMs } = this.#options;
      const answer = await produce({ connection, maxVersion, timeoutMs, batches });
      if (answer.throttleMs > 0) this.#throttledUntilMs.set(leader, performance.now() + answer.throttleMs);
      for (const each of under) {
        const name = partitionName(each.lane.to.topic, each.lane.to.partition);
        this.#answered(each, answer.partitions.get(name) ?? { errorCode: -1, detail: null, refused: [] });
      }
    } catch (error) {
      for (const { lane, chunk } of under) this.#notAnswered(lane, chunk, error);
    }
  }

  async #form(lanes: Lane[], identity: ProducerIdentity): Promise<Under[]> {
    const under: Under[] = [];
    let bytes = 0;
    for (const lane of lanes) {
      const chunk = bytes > REQUEST_BYTES ? null : this.#chunkOf(lane, identity);
      if (chunk === null) {
        this.#free(lane);
        continue;
      }
      bytes += chunk.bytes;
      under.push({ lane, chunk });
    }
    const { compression } = this.#options;
    await Promise.all(
      under.map(async ({ chunk }) => {
        chunk.batch ??= await encodeBatch({
          ...chunk,
          records: chunk.entries.map(({ record }) => record),
          compression,
        });
      }),
    );
    return under;
  }

  /** A batch that may have been written goes again, unless nobody waits for it any more. */
  #chunkOf(lane: Lane, identity: ProducerIdentity): Chunk | null {
    const { kept } = lane;
    if (kept === null) return lane.take(identity);
    if (kept.entries.some((entry) => !entry.settled)) return kept;
    this.#spoil(kept.identity);
    lane.kept = null;
    return identity === kept.identity ? null : lane.take(identity);
  }

  #answered({ lane, chunk }: Under, { errorCode, detail, refused }: PartitionAnswer): void {
    const failure = () => failureOfCode(errorCode, describe(lane), detail);
    const verdict = verdictOf(errorCode);
    if (verdict === "refresh") {
      if (lane.kept !== chunk) lane.putBack(chunk.entries);
      void this.#refreshed(lane, failure());
      return;
    }
    if (verdict === "published") {
      lane.written(chunk);
      for (const entry of chunk.entries) entry.settle(PUBLISHED);
    } else if (verdict === "split") {
      this.#split(lane, chunk, errorCode, refused, failure());
    } else if (verdict === "renew") {
      this.#renew(lane, chunk, failure());
    } else {
      if (verdict === "unsure" || lane.kept === chunk) this.#spoil(chunk.identity);
      lane.kept = null;
      this.#fail(chunk, failure());
    }
    this.#free(lane);
  }

  /** The broker does not know the identity or its sequence, so it has not written the batch: again with another. */
  #renew(lane: Lane, chunk: Chunk, failure: Failure): void {
    this.#spoil(chunk.identity);
    lane.kept = null;
    lane.renewals += 1;
    if (lane.renewals > MOST_RENEWALS) this.#fail(chunk, failure);
    else lane.putBack(chunk.entries);
  }

  /** Nothing of the batch was written. The one that is to blame is found, and only what follows it of its aggregate waits. */
  #split(lane: Lane, chunk: Chunk, errorCode: number, refused: number[], failure: Failure): void {
    lane.kept = null;
    lane.endTrouble();
    const { entries } = chunk;
    const named = new Set(entries.length === 1 ? [0] : refused.filter((place) => place < entries.length));
    if (named.size === 0) lane.halve(chunk, errorCode === TOO_LARGE || errorCode === LIST_TOO_LARGE);
    for (const place of named) entries[place]?.settle({ kind: "failed", failure });
    lane.putBack(entries.filter((_, place) => !named.has(place)));
  }

  /** The leader has moved, or is not there: ask who it is, and send again while there is time. */
  async #refreshed(lane: Lane, failure: Failure): Promise<void> {
    const why = await this.#refresh([lane]);
    const gone = this.#topics.get(lane.to.topic)?.failure;
    this.#again(lane, why ?? gone ?? failure, why !== null || Boolean(gone));
  }

  /** The leader could not be reached or made no producer; nothing of these lanes was sent in this round. */
  async #notSent(lanes: Lane[], error: unknown): Promise<void> {
    const failure = failureOfError(error, false);
    const hopeless = failure.code === "auth" || (await this.#refresh(lanes)) !== null;
    for (const lane of lanes) this.#again(lane, failure, hopeless);
  }

  /** Sent, and no answer. With time left the very same batch is sent again, and the broker knows whether it has it. */
  #notAnswered(lane: Lane, chunk: Chunk, error: unknown): void {
    lane.kept = chunk;
    this.#again(lane, failureOfError(error, true), isTimeout(error));
  }

  /** Null when some broker has told who leads what. */
  async #refresh(lanes: Lane[]): Promise<Failure | null> {
    try {
      await this.#topics.refresh(new Set(lanes.map(({ to }) => to.topic)));
      return null;
    } catch (error) {
      return failureOfError(error, false);
    }
  }

  /** Tries the lane again after a pause; fails what waits in it when there is no hope or no time left. */
  #again(lane: Lane, failure: Failure, hopeless: boolean): void {
    lane.beginTrouble();
    const late = performance.now() - (lane.troubleSinceMs ?? 0) >= this.#options.timeoutMs;
    const { kept } = lane;
    if (kept !== null && (late || failure.code === "timeout" || failure.code === "auth")) {
      this.#spoil(kept.identity);
      lane.kept = null;
      const kind = failure.kind === "environment" ? "ambiguous" : failure.kind;
      this.#fail(kept, { ...failure, kind });
      if (failure.kind === "ambiguous") lane.endTrouble();
    }
    if (failure.kind !== "ambiguous" && (hopeless || late)) {
      for (const entry of lane.drain()) entry.settle({ kind: "failed", failure });
    }
    if (lane.hasWork) this.#pause(lane, lane.nextPauseMs());
    else {
      lane.endTrouble();
      this.#free(lane);
    }
  }

  #throttled(lanes: Lane[], waitMs: number): void {
    const { timeoutMs } = this.#options;
    const message = "Kafka asks to send less: a quota is used up.";
    const failure: Failure = { code: "throttled", kind: "environment", message, retryAfterMs: Math.ceil(waitMs) };
    for (const lane of lanes) {
      if (waitMs > timeoutMs) for (const entry of lane.drain()) entry.settle({ kind: "failed", failure });
      if (lane.hasWork) this.#pause(lane, waitMs);
      else this.#free(lane);
    }
  }

  #pause(lane: Lane, ms: number): void {
    if (this.#closed) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#free(lane);
    }, ms);
    this.#timers.add(timer);
  }

  #fail({ entries }: Chunk, failure: Failure): void {
    for (const entry of entries) entry.settle({ kind: "failed", failure });
  }

  #free(lane: Lane): void {
    lane.busy = false;
    this.#wake(lane);
  }

  #identityFrom(connection: Connection): Promise<ProducerIdentity> {
    if (this.#identity !== null) return this.#identity;
    const asked = this.#cluster.newIdentity(connection);
    this.#identity = asked;
    asked.then(
      (identity) => {
        this.#current = identity;
      },
      () => {
        if (this.#identity === asked) this.#identity = null;
      },
    );
    return asked;
  }

  /** What the broker knows of this identity is not known any more: the next batch begins with another. */
  #spoil(identity: ProducerIdentity): void {
    if (this.#current !== identity) return;
    this.#current = null;
    this.#identity = null;
  }
}

function describe({ to }: Lane): string {
  return `partition ${to.partition} of the topic ${to.topic}`;
}
