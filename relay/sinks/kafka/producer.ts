import type { Connection } from "@platformatic/kafka";
import type { Failure } from "#domain/failure.ts";
import { applyAnswer, describe, fail, giveUp, type Under } from "./apply-answer.ts";
import { failureOfCode, failureOfError } from "./classify-failure.ts";
import type { Cluster } from "./cluster.ts";
import { encodeChunk } from "./encode-chunk.ts";
import { Identities } from "./identities.ts";
import { type Chunk, Lane } from "./lane.ts";
import { PRODUCE_KEY, type ProduceAnswer, partitionName, produce } from "./produce.ts";
import type { Entry } from "./publish-call.ts";
import type { Compression, ProducerIdentity } from "./record-batch.ts";
import type { Topics } from "./topics.ts";

export interface ProducerOptions {
  timeoutMs: number;
  maxBatchBytes: number;
  compression: Compression;
}

/** Largest request in bytes; more is split over later rounds, because brokers refuse requests above 100 MB. */
const REQUEST_BYTES = 16_000_000;
/** Requests in flight per connection. A broker answers one after another: one is being processed, one is in transit. */
const MOST_ROUNDS = 2;
const [UNKNOWN_SERVER_ERROR, LEADER_NOT_AVAILABLE] = [-1, 5];

/**
 * An idempotent producer: one batch in flight per partition, with the sequence by which the broker recognises a repeat,
 * and an accurate outcome for every record.
 */
export class Producer {
  readonly #cluster: Cluster;
  readonly #topics: Topics;
  readonly #options: ProducerOptions;
  readonly #identities: Identities;
  /** Kept while idle: under the same identity, a sequence that began again would be a repeat to the broker. */
  readonly #lanes = new Map<string, Lane>();
  readonly #ready = new Set<Lane>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #throttledUntilMs = new Map<number, number>();
  readonly #rounds = new Map<number, number>();
  #scheduled = false;
  #closed = false;

  constructor(cluster: Cluster, topics: Topics, options: ProducerOptions) {
    this.#cluster = cluster;
    this.#topics = topics;
    this.#options = options;
    this.#identities = new Identities(cluster);
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
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#ready.size === 0) return;
    this.#scheduled = true;
    queueMicrotask(() => this.#pump());
  }

  #pump(): void {
    this.#scheduled = false;
    const byLeader = Map.groupBy(this.#ready, ({ to }) => this.#topics.leaderOf(to.topic, to.partition));
    this.#ready.clear();
    for (const [leader, lanes] of byLeader) {
      if ((this.#rounds.get(leader) ?? 0) >= MOST_ROUNDS) {
        for (const lane of lanes) this.#ready.add(lane);
        continue;
      }
      for (const lane of lanes) lane.busy = true;
      const waitMs = (this.#throttledUntilMs.get(leader) ?? 0) - performance.now();
      if (waitMs > 0) this.#throttled(lanes, waitMs);
      else if (leader >= 0) void this.#roundOf(leader, lanes);
      else for (const lane of lanes) void this.#askLeader(lane, failureOfCode(LEADER_NOT_AVAILABLE, describe(lane)));
    }
  }

  async #roundOf(leader: number, lanes: Lane[]): Promise<void> {
    this.#rounds.set(leader, (this.#rounds.get(leader) ?? 0) + 1);
    await this.#round(leader, lanes);
    this.#rounds.set(leader, (this.#rounds.get(leader) ?? 1) - 1);
    this.#schedule();
  }

  /**
   * Sends one request with a batch for each lane. Afterwards each lane is free or waits for its timer, also after a
   * failure.
   */
  async #round(leader: number, lanes: Lane[]): Promise<void> {
    let connection: Connection;
    let identity: ProducerIdentity;
    let maxVersion: number;
    try {
      connection = await this.#cluster.connectionTo(leader);
      maxVersion = await this.#cluster.maxVersion(connection, PRODUCE_KEY);
      identity = await this.#identities.get(connection);
    } catch (error) {
      await this.#notSent(lanes, error);
      return;
    }
    const under = await this.#form(lanes, identity);
    if (under.length === 0 || this.#closed) return;
    if (!connection.isConnected()) {
      for (const { lane, chunk } of under) if (lane.kept !== chunk) lane.putBack(chunk.entries);
      const waiting = under.map(({ lane }) => lane);
      await this.#notSent(waiting, new Error("The connection was lost before anything was sent"));
      return;
    }
    await this.#send(connection, leader, maxVersion, under);
  }

  async #send(connection: Connection, leader: number, maxVersion: number, under: Under[]): Promise<void> {
    const { timeoutMs } = this.#options;
    const batches = under.map(({ lane, chunk }) => ({ ...lane.to, batch: chunk.batch as Buffer }));
    let answer: ProduceAnswer;
    try {
      answer = await produce({ connection, maxVersion, timeoutMs, batches });
    } catch (error) {
      // While time is left the same batch is sent again, and the broker knows whether it has it.
      for (const { lane, chunk } of under) {
        lane.kept = chunk;
        chunk.unanswered = true;
        this.#again(lane, failureOfError(error, true), false);
      }
      return;
    }
    if (answer.throttleMs > 0) this.#throttledUntilMs.set(leader, performance.now() + answer.throttleMs);
    for (const each of under) {
      const { lane } = each;
      const reply = answer.partitions.get(partitionName(lane.to.topic, lane.to.partition)) ?? NOT_MENTIONED;
      const moved = applyAnswer(each, reply, this.#identities);
      if (moved) void this.#askLeader(lane, moved);
      else this.#free(lane);
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
    const failures = await Promise.all(under.map(({ chunk }) => encodeChunk(chunk, this.#options.compression)));
    return under.filter(({ lane, chunk }, index) => {
      const failure = failures[index];
      if (!failure) return true;
      fail(chunk, failure);
      this.#free(lane);
      return false;
    });
  }

  /** A batch that may have been written is sent again, unless all its messages were aborted. */
  #chunkOf(lane: Lane, identity: ProducerIdentity): Chunk | null {
    const { kept } = lane;
    if (kept === null) return lane.take(identity);
    if (kept.entries.some((entry) => !entry.settled)) return kept;
    this.#identities.spoil(kept.identity);
    lane.kept = null;
    return identity === kept.identity ? null : lane.take(identity);
  }

  /** The leader has moved or is missing: look it up, and send again while time is left. */
  async #askLeader(lane: Lane, failure: Failure): Promise<void> {
    const silent = await this.#refresh([lane]);
    const gone = this.#topics.get(lane.to.topic)?.failure ?? null;
    this.#again(lane, silent ?? gone ?? failure, silent !== null || gone !== null);
  }

  /** The leader was unreachable or gave no identity; none of these lanes was sent in this round. */
  async #notSent(lanes: Lane[], error: unknown): Promise<void> {
    const failure = failureOfError(error, false);
    const hopeless = failure.code === "auth" || (await this.#refresh(lanes)) !== null;
    for (const lane of lanes) this.#again(lane, failure, hopeless);
  }

  /** Null when a broker reported the leaders; otherwise the failure. */
  async #refresh(lanes: Lane[]): Promise<Failure | null> {
    try {
      await this.#topics.refresh(new Set(lanes.map(({ to }) => to.topic)));
      return null;
    } catch (error) {
      return failureOfError(error, false);
    }
  }

  /**
   * Retries the lane after a pause. Batches without an answer fail only when their time is up; the others as soon as
   * there is no hope.
   */
  #again(lane: Lane, failure: Failure, hopeless: boolean): void {
    lane.beginTrouble();
    const late = lane.troubleMs >= this.#options.timeoutMs;
    const { kept } = lane;
    const over = late || failure.code === "timeout" || failure.code === "auth";
    if (kept !== null && (over || (hopeless && !kept.unanswered))) {
      const told: Failure = kept.unanswered ? { ...failure, kind: "ambiguous" } : failure;
      giveUp({ lane, chunk: kept }, told, this.#identities);
    }
    if (failure.kind !== "ambiguous" && (hopeless || late)) fail({ entries: lane.drain() }, failure);
    if (lane.hasWork) {
      this.#pause(lane, lane.nextPauseMs());
      return;
    }
    lane.endTrouble();
    this.#free(lane);
  }

  #throttled(lanes: Lane[], waitMs: number): void {
    const message = "Kafka throttles this client: its quota is used up.";
    const failure: Failure = { code: "throttled", kind: "environment", message, retryAfterMs: Math.ceil(waitMs) };
    for (const lane of lanes) {
      if (waitMs > this.#options.timeoutMs) fail({ entries: lane.drain() }, failure);
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

  #free(lane: Lane): void {
    lane.busy = false;
    this.#wake(lane);
  }
}

const NOT_MENTIONED = { errorCode: UNKNOWN_SERVER_ERROR, detail: "not in the broker's answer", refused: [] };
