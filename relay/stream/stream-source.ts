import type { Logger } from "pino";
import type { OrderKey } from "#db/stores/port/relay/outgoing-message.ts";
import {
  type Notice,
  type OpenStream,
  type RelayStream,
  StreamError,
  type StreamProblem,
} from "#db/stores/port/relay/relay-stream.ts";
import type { StreamPosition } from "#db/stores/port/relay/stream-transaction.ts";
import { messageOf } from "#domain/errors.ts";
import { Moment } from "#relay/clock/database-clock.ts";
import { Waker } from "../pipeline/state/waker.ts";
import { Acknowledgements } from "./acknowledgements.ts";
import { NoticeQueue, type Received, type Verdict } from "./notice-queue.ts";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;
/** A connection that ends for a lasting reason at the same place of the log does so sooner. */
const PROVEN_AFTER_MS = 2000;

/**
 * Keeps a replication connection open and queues notices in order. The caller ends each notice that it takes with
 * `done` or `putBack`. The server receives the position up to which it may discard its log.
 */
export class StreamSource {
  readonly #stream: RelayStream;
  readonly #log: Logger;
  readonly #events: { notices: () => void; connected: () => void };
  readonly #acks: Acknowledgements;
  readonly #stopping = new AbortController();
  readonly #waker = new Waker();
  readonly #queue = new NoticeQueue();
  #open: OpenStream | null = null;
  #connected = false;
  /** The last open connection ended for a lasting reason, so that the next one may, too. */
  #broke = false;
  /** Why the open connection leaves out rows. */
  #missing: StreamProblem | null = null;
  #paused = false;
  #resting = false;
  #problem: StreamProblem | null = null;
  #since = new Moment();
  #loop: Promise<void> = Promise.resolve();
  /** When the newest transaction was committed, by the server's clock. */
  newestCommitAtMs = 0;

  constructor(input: {
    stream: RelayStream;
    log: Logger;
    /** `notices`: some are queued. `connected`: a new connection resends everything unconfirmed. */
    events: { notices: () => void; connected: () => void };
  }) {
    this.#stream = input.stream;
    this.#log = input.log;
    this.#events = input.events;
    this.#acks = new Acknowledgements(input.stream.mark === "none");
  }

  get connected(): boolean {
    return this.#connected;
  }
  /** Why it is not connected; null while connected or before the first failure. */
  get problem(): StreamProblem | null {
    return this.#problem;
  }
  get since(): Moment {
    return this.#since;
  }
  get queued(): number {
    return this.#queue.size;
  }

  start(): void {
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#waker.wake();
    await this.#open?.close();
    await this.#loop;
  }

  /**
   * Closes the connection while nothing can be confirmed for long: a server does not shut down while a reader is
   * behind.
   */
  rest(resting: boolean): void {
    if (this.#resting === resting) return;
    this.#resting = resting;
    if (resting) void this.#open?.close();
    else this.#waker.wake();
  }

  /** Closes an open connection that leaves out rows: what the server sends was changed since it was opened. */
  async recheck(): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    const found = await this.#stream.check();
    if (!found?.misses || this.#open !== open) return;
    this.#missing = found;
    await open.close();
  }

  isOpen(id: string): boolean {
    return this.#acks.has(id);
  }
  wasSettled(notice: Notice): boolean {
    return this.#acks.wasSettled(notice);
  }

  /** Takes notices off the queue, from its head on; dropped ones count as done. */
  take(want: (received: Received) => Verdict): Notice[] {
    const { taken, dropped } = this.#queue.take(want);
    for (const { id, order } of dropped) this.#acks.done(id, order);
    if (taken.length + dropped.length > 0) {
      this.#confirm();
      this.#flow();
    }
    return taken;
  }

  /** Marks messages that no longer need the stream; one without its order is the first of its id that is open. */
  done(messages: Iterable<{ id: string; order?: OrderKey }>): void {
    for (const { id, order } of messages) this.#acks.done(id, order);
    this.#confirm();
  }

  /** Remembers a settled message, in case the server resends it: this is its only record. */
  remember(id: string, position: StreamPosition): void {
    this.#acks.remember(id, position);
  }

  /**
   * Returns messages to their place in the queue, except those that a new connection resends. Messages that waited in
   * the queue for settled ones may now be claimed.
   */
  putBack(ids: readonly string[]): void {
    this.#queue.putBack(ids.flatMap((id) => this.#acks.noticeOf(id) ?? []));
    if (this.#queue.size > 0) this.#events.notices();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let waitMs = FIRST_WAIT_MS;
    while (!signal.aborted) {
      if (!this.#resting) {
        const startedMs = performance.now();
        const problem = await this.#once();
        if (problem && !signal.aborted && !this.#resting) this.#note(problem);
        waitMs =
          performance.now() - startedMs > LONGEST_WAIT_MS ? FIRST_WAIT_MS : Math.min(waitMs * 2, LONGEST_WAIT_MS);
      }
      if (signal.aborted) return;
      await this.#waker.wait(waitMs * (0.5 + Math.random() / 2));
    }
  }

  /** Runs one connection until it ends. Returns why it ended; null if it was closed on purpose. */
  async #once(): Promise<StreamProblem | null> {
    let proof: NodeJS.Timeout | undefined;
    try {
      const found = await this.#stream.check();
      if (found || this.#stopping.signal.aborted) return found;
      this.#acks.reset();
      this.#queue.clear();
      this.#paused = false;
      this.#missing = null;
      const open = await this.#stream.open({
        notice: (notice) => this.#received(notice),
        commit: (position) => {
          this.#acks.commit(position);
          this.#confirm();
        },
        position: (position) => {
          this.#acks.position(position);
          this.#confirm();
        },
        flushed: () => {
          if (this.#queue.size > 0) this.#events.notices();
        },
      });
      this.#open = open;
      if (!this.#broke) this.#reads();
      proof = setTimeout(() => this.#reads(), PROVEN_AFTER_MS);
      this.#confirm();
      this.#events.connected();
      if (this.#stopping.signal.aborted || this.#resting) await open.close();
      const why = await open.ended;
      const ended = this.#missing ?? why;
      this.#broke = ended?.passes === false;
      return ended;
    } catch (error) {
      if (error instanceof StreamError) return error.problem;
      const message = messageOf(error);
      return { code: "connection", passes: true, message, sql: null };
    } finally {
      clearTimeout(proof);
      if (this.#connected) this.#since = new Moment();
      this.#connected = false;
      this.#open = null;
    }
  }

  #reads(): void {
    if (this.#connected) return;
    if (this.#problem) this.#log.info({ slot: this.#stream.name }, "reading the log again");
    this.#connected = true;
    this.#since = new Moment();
    this.#problem = null;
  }

  #received(notice: Notice): void {
    this.newestCommitAtMs = notice.transaction.committedAtMs;
    if (!this.#acks.begin(notice)) return;
    this.#queue.push(notice);
    this.#flow();
  }

  /** Backpressure: stops reading when the queue is full, continues when it is half empty. */
  #flow(): void {
    if (!this.#paused && this.#queue.isFull) {
      this.#paused = true;
      this.#open?.pause();
    } else if (this.#paused && this.#queue.isRoomy) {
      this.#paused = false;
      this.#open?.resume();
    }
  }

  #confirm(): void {
    if (!this.#open) return;
    this.#open.confirm(this.#acks.confirmed);
    this.#acks.passedOn();
  }

  #note(problem: StreamProblem): void {
    if (this.#problem?.message !== problem.message) {
      this.#log.warn({ slot: this.#stream.name, code: problem.code, sql: problem.sql }, problem.message);
    }
    this.#problem = problem;
  }
}
