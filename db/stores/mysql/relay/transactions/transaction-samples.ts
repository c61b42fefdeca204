import type { SQL } from "drizzle-orm";
import { isForbidden } from "../../connection/database-error.ts";
import { CACHED_MS, inListTurn, readUntilFresh } from "../../connection/list-turn.ts";
import type { OwnTables, Session } from "../../connection/session.ts";
import { type MysqlRelayPool, RelaySessions } from "../../connection/sessions.ts";
import type { Marker, Sample } from "./transaction-horizon.ts";
import { markerStatement, type OpenTransaction, readList, type TransactionList } from "./transaction-list.ts";

/**
 * Between samples, ms. Frequent reads by others keep the server's answer from being refreshed, so the wait then grows.
 */
const LEAST_MS = 120;
const MOST_MS = 10_000;
/** After a refusal, until the list is asked for again. The server uses a new privilege on new connections only. */
const REFUSED_MS = 10_000;
/** How often one marker is looked for, and the longest wait in between: its transaction stays open meanwhile. */
const TRIES = { tries: 4, longestMs: 400 };

/** A fresh list of the server's open transactions. */
export interface Sampled extends TransactionList {
  /** Of the marker, which is among them. */
  own: bigint;
  /** As of Sample. */
  number: number;
}

export interface Sampling {
  /** Resolves when the marker has begun, or the sample has failed. */
  begun: Promise<void>;
  /** Null if no answer was fresh, or the sample failed. Never rejects. */
  ended: Promise<Sampled | null>;
}

/**
 * Samples of a server's open transactions, shared by the relays of a store: the server repeats its answer while it is
 * read often, so the samples of many relays would outdate each other.
 *
 * A sample opens a transaction of our own, the marker, which writes nothing but gets an id like a writer's, above that
 * of every transaction that had written before. An answer of the server that lists the marker with the statement that
 * asks is not outdated. Samples have turns of their own, so a relay whose table is locked does not delay those of
 * others.
 */
export class TransactionSamples {
  /** From a refusal until the next request, ms. */
  readonly refusedMs: number;
  readonly #pool: MysqlRelayPool;
  readonly #marker: SQL;
  #users = 0;
  #sessions: RelaySessions | null = null;
  #closing = new AbortController();
  #latest: Sample | null = null;
  #number = 0;
  /** The next marker, for reads that end before it begins. */
  #next = unknownMarker();
  /** Markers that were never found; a later marker also answers for them. */
  #lost: Marker[] = [];
  #running: Sampling | null = null;
  #following: Sampling | null = null;
  #intervalMs = LEAST_MS;
  #dueAtMs = 0;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #readable = true;
  #refusedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(pool: MysqlRelayPool, own: OwnTables, refusedMs = REFUSED_MS) {
    this.#pool = pool;
    this.refusedMs = refusedMs;
    this.#marker = markerStatement(own);
  }

  /** Called once by each relay before its first sample. */
  join(): void {
    if (this.#users === 0) [this.#readable, this.#refusedUntilMs] = [true, Number.NEGATIVE_INFINITY];
    this.#users += 1;
  }

  /** For the last relay, resolves when the running sample has ended. */
  async leave(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#closing.abort();
    while (this.#running) await this.#running.ended;
    const sessions = this.#sessions;
    this.#sessions = null;
    this.#closing = new AbortController();
    await sessions?.close();
  }

  /** False while the server refuses to list open transactions: the user lacks PROCESS. */
  get readable(): boolean {
    return this.#readable;
  }
  get latest(): Sample | null {
    return this.#latest;
  }
  /** For a read that ends now. */
  get marker(): Marker {
    return this.#next;
  }

  sampleIfDue(): void {
    if (!this.#running && performance.now() >= this.#dueAtMs) this.#start();
  }

  /** A sample whose marker begins after this call. */
  sample(): Sampling {
    if (!this.#running) return this.#start();
    this.#following ??= this.#after(this.#running);
    return this.#following;
  }

  #after(running: Sampling): Sampling {
    const started = running.ended.then(() => {
      this.#following = null;
      return this.#running ?? this.#start();
    });
    return { begun: started.then(({ begun }) => begun), ended: started.then(({ ended }) => ended) };
  }

  #start(): Sampling {
    if (this.#users === 0 || performance.now() < this.#refusedUntilMs) return NOTHING;
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const marker = this.#next;
    this.#next = unknownMarker();
    const ended = this.#find(resolve)
      .then((found) => {
        this.#readable = true;
        return found;
      })
      .catch((error: unknown) => {
        this.#pace(false);
        if (isForbidden(error)) [this.#readable, this.#refusedUntilMs] = [false, performance.now() + this.refusedMs];
        return null;
      })
      .then((found) => {
        this.#note(found, marker);
        this.#running = null;
        resolve();
        return found;
      });
    this.#running = { begun, ended };
    return this.#running;
  }

  async #find(begun: () => void): Promise<Sampled | null> {
    this.#sessions ??= RelaySessions.of(this.#pool);
    // The turn comes first, so that the marker's transaction is not open while it is waited for.
    return this.#sessions.transaction((session) =>
      inListTurn(session, async () => {
        await session.rows(this.#marker);
        begun();
        return this.#look(session);
      }),
    );
  }

  async #look(session: Session): Promise<Sampled | null> {
    const look = async (mark: string) => {
      const list = await readList(session, mark);
      this.#lookedAtMs = performance.now();
      const own = ownMarker(list.open, { thread: String(session.id), mark });
      this.#pace(own !== null);
      return own === null ? null : { ...list, own, number: ++this.#number };
    };
    const firstMs = this.#lookedAtMs + CACHED_MS - performance.now();
    return readUntilFresh(look, { ...TRIES, firstMs, signal: this.#closing.signal });
  }

  #note(found: Sampled | null, marker: Marker): void {
    if (!found) {
      this.#lost.push(marker);
      return;
    }
    const { server, own, number } = found;
    for (const one of [marker, ...this.#lost]) Object.assign(one, { server, id: own, number });
    this.#lost = [];
    this.#latest = sampleOf(found);
  }

  /** An outdated answer shows that other sessions ask as well, so the interval grows. */
  #pace(fresh: boolean): void {
    this.#intervalMs = Math.min(MOST_MS, Math.max(LEAST_MS, this.#intervalMs * (fresh ? 0.7 : 2)));
    this.#dueAtMs = performance.now() + this.#intervalMs * (1 + Math.random() / 2);
  }
}

/** Which of the transactions counts, for one table; all of them by default. */
export function sampleOf(
  { server, open, own, number }: Sampled,
  counts: (one: OpenTransaction) => boolean = () => true,
): Sample {
  return { server, number, endedBelow: open.filter(counts).reduce((least, { id }) => (id < least ? id : least), own) };
}

/**
 * The marker's id in a list; null unless the list was made for this very statement, which has `mark` in its text. An
 * older list may show an earlier transaction of the session, whose id is too low.
 */
export function ownMarker(
  open: readonly OpenTransaction[],
  { thread, mark }: { thread: string; mark: string },
): bigint | null {
  return open.find((one) => one.thread === thread && one.query.includes(mark))?.id ?? null;
}

function unknownMarker(): Marker {
  return { server: "", id: null, number: 0 };
}

const NOTHING: Sampling = { begun: Promise.resolve(), ended: Promise.resolve(null) };
