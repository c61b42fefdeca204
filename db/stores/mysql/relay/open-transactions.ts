import { setTimeout as delay } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import type { TableName } from "#db/stores/port/mapping.ts";
import { errorNumber, isForbidden } from "../connection/database-error.ts";
import type { OwnTables, Session } from "../connection/session.ts";
import type { RelaySessions } from "../connection/sessions.ts";
import { type Marker, type Read, type Sample, TransactionHorizon } from "./transaction-horizon.ts";

/** The server repeats its last answer until it has not been read for this long, ms. */
const CACHED_MS = 110;
/** Between samples, ms. Frequent reads by others keep the server's answer from being refreshed, so the wait then grows. */
const LEAST_MS = 120;
const MOST_MS = 10_000;
/** How often one marker is looked for, and the longest wait in between: its transaction stays open meanwhile. */
const TRIES = 4;
const LONGEST_WAIT_MS = 400;

/** The user lacks PROCESS. */
const NO_PROCESS = 1227;
/** A transaction that has written nothing has an address in place of an id; addresses start here. */
const WRITES = sql`trx_id > 0 AND trx_id < 281474976710656`;
/** Thread of a transaction without a session: one that was prepared by XA. */
const NO_THREAD = "0";

/**
 * Open transactions of the server, sampled now and then along with the reads. AUTO_INCREMENT gives out numbers
 * before their transactions commit, so a row may appear below those that were read; it cannot once every transaction
 * that was open at the read has ended.
 *
 * A sample opens a transaction of our own, the marker, which writes nothing but gets an id like a writer's. An answer of
 * the server that lists the marker is not outdated; and the marker's id is above that of every transaction that had
 * written before.
 */
export class OpenTransactions {
  readonly #sessions: Pick<RelaySessions, "transaction">;
  readonly #own: OwnTables;
  readonly #table: TableName;
  #latest: Sample | null = null;
  #lastId = 0n;
  /** The next marker, for reads that end before it begins. */
  #next: Marker = { server: "", id: null };
  /** Markers that were never found; a later marker also answers for them. */
  #lost: Marker[] = [];
  #running: Promise<void> | null = null;
  #intervalMs = LEAST_MS;
  #dueAtMs = 0;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #readable = true;
  #tellsWriters = true;
  readonly #closing = new AbortController();

  constructor(sessions: Pick<RelaySessions, "transaction">, own: OwnTables, table: TableName) {
    this.#sessions = sessions;
    this.#own = own;
    this.#table = table;
  }

  /** False once the server has refused to list open transactions: then the window of time decides. */
  get readable(): boolean {
    return this.#readable;
  }

  /**
   * Call before a read, and `ended` as soon as its rows have arrived. If a sample was due, transactions that begin after
   * `marked` has resolved do not hold back the horizon. `ofWriters`: samples before and after the read, due or not; the
   * first sample leaves out transactions that do not write to the table, if the server shows which.
   */
  async begin({ ofWriters = false } = {}): Promise<BegunRead> {
    if (ofWriters) await this.#sampleWriters();
    const before: Read["before"] = this.#readable ? this.#latest : "by time";
    const beganAtMs = performance.now();
    return {
      ended: () => {
        const read = { before, beganAtMs, endedAtMs: performance.now(), marker: this.#next };
        return { horizon: new TransactionHorizon(read), marked: this.#sampleIfDue(ofWriters) };
      },
    };
  }

  /** Waits for the running sample. */
  async close(): Promise<void> {
    this.#closing.abort();
    while (this.#running) await this.#running;
  }

  async #sampleWriters(): Promise<void> {
    while (this.#running) await this.#running;
    if (this.#mayAsk) await this.#sample(true).ended;
  }

  /** Resolves when the marker has begun, or at once if none is due. Never rejects. */
  async #sampleIfDue(now: boolean): Promise<void> {
    while (now && this.#running) await this.#running;
    if (!this.#mayAsk || this.#running || !(now || performance.now() >= this.#dueAtMs)) return;
    await this.#sample(false).begun;
  }

  get #mayAsk(): boolean {
    return this.#readable && !this.#closing.signal.aborted;
  }

  #sample(ofWriters: boolean): { begun: Promise<void>; ended: Promise<void> } {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const marker = this.#next;
    this.#next = { server: "", id: null };
    const ended = this.#find(ofWriters && this.#tellsWriters, resolve)
      .then((found) => this.#note(found, marker))
      .catch((error: unknown) => {
        this.#note(null, marker);
        this.#noteError(error, ofWriters);
      })
      .finally(() => {
        this.#running = null;
        resolve();
      });
    this.#running = ended;
    return { begun, ended };
  }

  async #find(ofWriters: boolean, begun: () => void): Promise<Found | null> {
    const { signal } = this.#closing;
    return this.#sessions.transaction(
      async (session) => {
        begun();
        let waitMs = this.#lookedAtMs + CACHED_MS - performance.now();
        for (let attempt = 1; ; attempt += 1) {
          if (waitMs > 0) await delay(waitMs, undefined, { signal });
          const found = await this.#look(session, ofWriters);
          this.#lookedAtMs = performance.now();
          this.#pace(found !== null);
          if (found || attempt === TRIES) return found;
          waitMs = CACHED_MS + Math.random() * (LONGEST_WAIT_MS - CACHED_MS);
        }
      },
      { opening: [this.#markerStatement()] },
    );
  }

  /** Locks no row, but a transaction gets the id of one that writes. */
  #markerStatement(): SQL {
    return sql`SELECT 1 FROM ${this.#own.lease} WHERE outbox = '' FOR UPDATE`;
  }

  /** Null if the server's answer is older than the marker. */
  async #look(session: Session, ofWriters: boolean): Promise<Found | null> {
    const writers = ofWriters ? await this.#writers(session) : null;
    const [named, open] = await session.script([
      sql`SELECT CONCAT_WS(' ', @@hostname, @@port, @@server_id)`,
      sql`SELECT trx_id, trx_mysql_thread_id FROM information_schema.innodb_trx WHERE ${WRITES}`,
    ]);
    const server = named?.rows[0]?.[0] ?? "";
    const ids = (open?.rows ?? []).map(([id, thread]) => ({ id: BigInt(id ?? 0), thread: thread ?? "" }));
    const lastId = server === this.#latest?.server ? this.#lastId : 0n;
    const own = ids.find(({ thread, id }) => thread === String(session.id) && id > lastId)?.id;
    if (own === undefined) return null;
    const counted = ids.filter(({ thread }) => writers === null || thread === NO_THREAD || writers.has(thread));
    const endedBelow = counted.reduce((least, { id }) => (id < least ? id : least), own);
    return { sample: { server, endedBelow }, id: own };
  }

  /**
   * Sessions that write to the table, by its metadata locks: a writer holds one from before it takes its number until
   * its transaction ends. Null where the server keeps no list of them; our own lock would be missing there.
   */
  async #writers(session: Session): Promise<ReadonlySet<string> | null> {
    const { schema, name } = this.#table;
    const [, locks] = await session.script([
      sql`SELECT 1 FROM ${sql.identifier(schema)}.${sql.identifier(name)} LIMIT 0`,
      sql`SELECT t.processlist_id, l.lock_type FROM performance_schema.metadata_locks l
        JOIN performance_schema.threads t ON t.thread_id = l.owner_thread_id
        WHERE l.object_type = 'TABLE' AND l.object_schema = ${schema} AND l.object_name = ${name} AND l.lock_status = 'GRANTED'`,
    ]);
    const rows = locks?.rows ?? [];
    if (!rows.some(([thread]) => thread === String(session.id))) return null;
    return new Set(rows.filter(([, type]) => type !== "SHARED_READ").map(([thread]) => thread ?? ""));
  }

  #note(found: Found | null, marker: Marker): void {
    if (!found) {
      this.#lost.push(marker);
      return;
    }
    const { sample, id } = found;
    for (const one of [marker, ...this.#lost]) Object.assign(one, { server: sample.server, id });
    this.#lost = [];
    this.#lastId = id;
    this.#latest = sample;
  }

  /** An outdated answer shows that other sessions ask as well, so the interval grows. */
  #pace(fresh: boolean): void {
    this.#intervalMs = Math.min(MOST_MS, Math.max(LEAST_MS, this.#intervalMs * (fresh ? 0.7 : 2)));
    this.#dueAtMs = performance.now() + this.#intervalMs * (1 + Math.random() / 2);
  }

  #noteError(error: unknown, ofWriters: boolean): void {
    this.#pace(false);
    if (!isForbidden(error)) return;
    if (errorNumber(error) === NO_PROCESS || !ofWriters) this.#readable = false;
    else this.#tellsWriters = false;
  }
}

export interface BegunRead {
  ended(): { horizon: TransactionHorizon; marked: Promise<void> };
}

interface Found {
  sample: Sample;
  /** Of our own transaction. */
  id: bigint;
}
