import type { Logger } from "pino";
import {
  type Notice,
  type OpenStream,
  type RelayStream,
  StreamError,
  type StreamProblem,
} from "#db/outbox/stream-port.ts";
import { Waker } from "../pipeline/waker.ts";
import { Acknowledgements } from "./acknowledgements.ts";

/** Notices in memory before the socket is left alone, and their size in the stream. */
const MOST_NOTICES = 8000;
const MOST_BYTES = 32 * 1024 * 1024;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5000;

export interface Received {
  notice: Notice;
  /** On the monotonic clock. */
  atMs: number;
}

/**
 * Keeps a replication connection open and the notices in order until they are taken. What happens to a notice is told
 * by `done` or `putBack`; the server is told up to where it may forget.
 */
export class StreamSource {
  readonly #stream: RelayStream;
  readonly #log: Logger;
  readonly #events: { notices: () => void; connected: () => void };
  readonly #acks = new Acknowledgements();
  readonly #stopping = new AbortController();
  readonly #waker = new Waker();
  #queue: Received[] = [];
  readonly #queuedIds = new Set<string>();
  #bytes = 0;
  #open: OpenStream | null = null;
  #paused = false;
  #resting = false;
  #problem: StreamProblem | null = null;
  #since = new Date();
  #loop: Promise<void> = Promise.resolve();
  /** When the newest transaction was committed, by the server's clock. */
  newestCommitAtMs = 0;

  constructor(input: {
    stream: RelayStream;
    log: Logger;
    /** `notices`: some have come. `connected`: a connection tells everything again that was not confirmed. */
    events: { notices: () => void; connected: () => void };
  }) {
    this.#stream = input.stream;
    this.#log = input.log;
    this.#events = input.events;
  }

  get connected(): boolean {
    return this.#open !== null;
  }
  /** Why it is not connected; null while it is, or before the first try has failed. */
  get problem(): StreamProblem | null {
    return this.#problem;
  }
  get since(): Date {
    return this.#since;
  }
  get queued(): number {
    return this.#queue.length;
  }
  /** Notices whose messages are not settled. */
  get unsettled(): number {
    return this.#acks.size;
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

  /** Closed while nothing can be confirmed for long: a server does not shut down while a reader is behind. */
  rest(resting: boolean): void {
    if (this.#resting === resting) return;
    this.#resting = resting;
    if (resting) void this.#open?.close();
    else this.#waker.wake();
  }

  isOpen(id: string): boolean {
    return this.#acks.has(id);
  }
  wasSettled(notice: Notice): boolean {
    return this.#acks.wasSettled(notice);
  }

  /**
   * Takes notices off the head of the queue. `want` says what to do with each: take it, drop it (it is done), leave it
   * where it is, or end the search.
   */
  take(want: (received: Received) => "take" | "drop" | "leave" | "end"): Notice[] {
    const taken: Notice[] = [];
    const left: Received[] = [];
    let at = 0;
    for (; at < this.#queue.length; at += 1) {
      const received = this.#queue[at]!;
      const verdict = want(received);
      if (verdict === "end") break;
      if (verdict === "leave") {
        left.push(received);
        continue;
      }
      this.#bytes -= received.notice.bytes;
      this.#queuedIds.delete(received.notice.id);
      if (verdict === "take") taken.push(received.notice);
      else this.#acks.done(received.notice.id);
    }
    if (at > left.length) {
      this.#queue = left.length === 0 && at === this.#queue.length ? [] : [...left, ...this.#queue.slice(at)];
      this.#confirm();
      this.#flow();
    }
    return taken;
  }

  /** These messages need no stream any more. */
  done(ids: Iterable<string>): void {
    for (const id of ids) this.#acks.done(id);
    this.#confirm();
  }

  /** Nothing but our memory knows that it is settled, should the server tell of it again. */
  remember(id: string, commitLsn: bigint): void {
    this.#acks.remember(id, commitLsn);
  }

  /** Back to where they were in the queue. Those that a new connection will tell of, or has told of, stay out. */
  putBack(ids: readonly string[]): void {
    const atMs = performance.now();
    for (const id of ids) {
      const notice = this.#acks.noticeOf(id);
      if (notice && !this.#queuedIds.has(id)) this.#push({ notice, atMs });
    }
    this.#queue.sort((left, right) => compare(left.notice, right.notice));
    this.#events.notices();
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

  /** One connection, from its beginning to its end. */
  async #once(): Promise<StreamProblem | null> {
    try {
      const found = await this.#stream.check();
      if (found || this.#stopping.signal.aborted) return found;
      this.#acks.reset();
      this.#queue = [];
      this.#queuedIds.clear();
      this.#bytes = 0;
      this.#paused = false;
      const open = await this.#stream.open({
        notice: (notice) => this.#received(notice),
        commit: (lsn) => {
          this.#acks.commit(lsn);
          this.#confirm();
        },
        position: (lsn) => {
          this.#acks.position(lsn);
          this.#confirm();
        },
        flushed: () => {
          if (this.#queue.length > 0) this.#events.notices();
        },
      });
      this.#open = open;
      this.#since = new Date();
      if (this.#problem) this.#log.info({ slot: this.#stream.slot }, "the log is read again");
      this.#problem = null;
      this.#confirm();
      this.#events.connected();
      if (this.#stopping.signal.aborted || this.#resting) await open.close();
      return await open.ended;
    } catch (error) {
      if (error instanceof StreamError) return error.problem;
      return { code: "connection", message: error instanceof Error ? error.message : String(error), sql: null };
    } finally {
      if (this.#open) this.#since = new Date();
      this.#open = null;
    }
  }

  #received(notice: Notice): void {
    this.newestCommitAtMs = notice.transaction.committedAtMs;
    if (this.#acks.has(notice.id)) return;
    this.#acks.begin(notice);
    this.#push({ notice, atMs: performance.now() });
    this.#flow();
  }

  #push(received: Received): void {
    this.#queue.push(received);
    this.#queuedIds.add(received.notice.id);
    this.#bytes += received.notice.bytes;
  }

  /** Back-pressure, with some room between stopping and going on. */
  #flow(): void {
    const full = this.#queue.length >= MOST_NOTICES || this.#bytes >= MOST_BYTES;
    const roomy = this.#queue.length <= MOST_NOTICES / 2 && this.#bytes <= MOST_BYTES / 2;
    if (!this.#paused && full) {
      this.#paused = true;
      this.#open?.pause();
    } else if (this.#paused && roomy) {
      this.#paused = false;
      this.#open?.resume();
    }
  }

  #confirm(): void {
    this.#open?.confirm(this.#acks.confirmed);
  }

  #note(problem: StreamProblem): void {
    if (this.#problem?.message !== problem.message) {
      this.#log.warn({ slot: this.#stream.slot, code: problem.code, sql: problem.sql }, problem.message);
    }
    this.#problem = problem;
  }
}

function compare(left: Notice, right: Notice): number {
  const [first, second] = [left.transaction.commitLsn, right.transaction.commitLsn];
  if (first !== second) return first < second ? -1 : 1;
  return Number(left.order[1]) - Number(right.order[1]);
}
