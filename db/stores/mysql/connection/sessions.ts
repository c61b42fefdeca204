import { causeOf } from "#db/stores/shared/connection/driver-error.ts";
import { type RelayMember, RelayPool, type RelayPoolLimits } from "#db/stores/shared/connection/relay-pool.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { isConnectionError } from "./database-error.ts";
import type { Link, Result } from "./link.ts";
import type { OwnPlace } from "./own-place.ts";
import { createPool, type Pool } from "./pool.ts";
import { type Session, type Statement, scriptOf, sessionOn } from "./session.ts";
import { rollBack } from "./transaction.ts";

/** Statement limit of the relay, ms. A slower statement means a lock or a missing index, and is retried. */
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * Our transactions are never idle for long. An idle one belongs to a frozen or disconnected process, and its locks must
 * not block the next owner. The server closes a connection that is idle for longer in a transaction, seconds.
 */
const IDLE_IN_TRANSACTION_S = 3;
/** The relay's connections stay open between polls; a frozen relay's are closed after this time, ms. */
const IDLE_LIMIT_MS = 600_000;

/** Both travel with the statements around them, so they cost no round trip. */
const BEGIN = `SET SESSION wait_timeout = ${IDLE_IN_TRANSACTION_S}; START TRANSACTION READ WRITE`;
const BEGIN_READ = "START TRANSACTION READ ONLY";
const STAY = `SET SESSION wait_timeout = ${IDLE_LIMIT_MS / 1000}`;
const COMMIT = `COMMIT; ${STAY}`;
/** Results of COMMIT and of BEGIN themselves. */
const OWN_RESULTS = 2;

/** The connections that all relays of one store share in this process. */
export type MysqlRelayPool = RelayPool<RelayLinks>;
type RelayLinks = Pool & { left(): void };

export function openRelayPool({
  url,
  own,
  ...limits
}: { url: string; own: OwnPlace } & RelayPoolLimits): MysqlRelayPool {
  const open = (most: number) =>
    createPool({
      ...{ url, own },
      applicationName: "outbox-console relay",
      readOnly: false,
      max: most,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      idleLimitMs: IDLE_LIMIT_MS,
    });
  // Nothing of a relay stays on a connection.
  return new RelayPool((most) => Object.assign(open(most), { left: () => undefined }), limits);
}

/** One relay's transactions over the connections that the relays of its store share. */
export class RelaySessions {
  readonly #member: RelayMember<RelayLinks>;
  readonly #isUrgent: boolean;
  #urgent: RelaySessions | undefined;

  private constructor(member: RelayMember<RelayLinks>, isUrgent: boolean) {
    this.#member = member;
    this.#isUrgent = isUrgent;
  }

  static of(pool: MysqlRelayPool): RelaySessions {
    return new RelaySessions(pool.join(), false);
  }

  /** Over connections of its own. */
  static over(options: { url: string; own: OwnPlace } & RelayPoolLimits): RelaySessions {
    return RelaySessions.of(openRelayPool(options));
  }

  /** The same for what must not wait behind other work, because the lease depends on it. */
  get urgent(): RelaySessions {
    this.#urgent ??= new RelaySessions(this.#member, true);
    return this.#urgent;
  }

  /**
   * Runs `work` in a READ COMMITTED transaction. `opening` travels with BEGIN, `closing` with COMMIT. `close` commits
   * early: it runs further statements, then `closing`, whose results it returns. Throws CommitInDoubtError if the
   * commit was sent and no answer came.
   */
  async transaction<T>(
    work: (session: Session, opened: Result[], close: (more?: readonly Statement[]) => Promise<Result[]>) => Promise<T>,
    { opening = [], closing = [] }: { opening?: readonly Statement[]; closing?: readonly Statement[] } = {},
  ): Promise<T> {
    return this.#onLink(async (link, session, committing) => {
      const opened = await link.send(scriptOf([BEGIN, ...opening]));
      let closed: Result[] | undefined;
      const close = async (more: readonly Statement[] = []) => {
        if (closed) return closed;
        committing.now = true;
        const results = await link.send(scriptOf([...more, ...closing, COMMIT]));
        committing.now = false;
        closed = results.slice(more.length, results.length - OWN_RESULTS);
        return closed;
      };
      const result = await work(session, opened.slice(OWN_RESULTS), close);
      await close();
      return result;
    });
  }

  /** Runs a whole transaction in one round trip; the result of each statement. Throws CommitInDoubtError. */
  async once(statements: readonly Statement[]): Promise<Result[]> {
    return this.#onLink(async (link, _session, committing) => {
      committing.now = true;
      const results = await link.send(scriptOf([BEGIN, ...statements, COMMIT]));
      return results.slice(OWN_RESULTS, results.length - OWN_RESULTS);
    });
  }

  /**
   * Runs a whole transaction and, once it is committed, `reads` on one later snapshot of the tables' definitions, all
   * in one round trip. `work` gets the results of the reads. Throws CommitInDoubtError.
   */
  async onceThenRead<T>(
    statements: readonly Statement[],
    reads: readonly Statement[],
    work: (session: Session, results: Result[]) => Promise<T>,
  ): Promise<T> {
    return this.#onLink(async (link, session, committing) => {
      committing.now = true;
      const results = await link.send(scriptOf([BEGIN, ...statements, "COMMIT", BEGIN_READ, ...reads, COMMIT]));
      committing.now = false;
      return work(session, results.slice(-reads.length - OWN_RESULTS, -OWN_RESULTS));
    });
  }

  /** Runs `work` outside a transaction: each statement, also of a script, is committed separately. */
  async single<T>(work: (session: Session) => Promise<T>): Promise<T> {
    return this.#onLink((_link, session) => work(session));
  }

  /** Opens as many connections as one relay uses, so that no message pays for it. */
  async warmUp(): Promise<void> {
    await Promise.allSettled(Array.from({ length: this.#member.most }, () => this.single(async () => undefined)));
  }

  close(): Promise<void> {
    return this.#member.leave();
  }

  async #onLink<T>(work: (link: Link, session: Session, committing: { now: boolean }) => Promise<T>): Promise<T> {
    const { turns, connections } = this.#member;
    await turns.take(this.#isUrgent);
    try {
      return await this.#withLink(connections, work);
    } finally {
      turns.end();
    }
  }

  async #withLink<T>(
    pool: Pool,
    work: (link: Link, session: Session, committing: { now: boolean }) => Promise<T>,
  ): Promise<T> {
    const link = await pool.connect();
    const committing = { now: false };
    let broken = false;
    try {
      return await work(link, sessionOn(link, pool), committing);
    } catch (thrown) {
      const error = causeOf(thrown);
      broken = await rollBack(link, error, `ROLLBACK; ${STAY}`);
      throw committing.now && isConnectionError(error) ? new CommitInDoubtError(error) : error;
    } finally {
      pool.release(link, broken);
    }
  }
}
