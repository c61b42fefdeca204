import pg from "pg";
import { POOL_SIZES } from "#db/stores/port/pool-sizes.ts";
import { connectionString } from "#db/stores/postgres/connection/connection-string.ts";
import { isConnectionError, isOutdated } from "#db/stores/postgres/connection/database-error.ts";
import { TEXT_FORMS } from "#db/stores/postgres/connection/text-forms.ts";
import { executePrepared, type PreparedStep } from "./prepared-steps.ts";

/** Statement limit of the relay, ms. A slower statement means a lock or a missing index, and is retried. */
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * Our transactions are never idle for long. An idle one belongs to a frozen or disconnected process, and its locks must
 * not block the next owner.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 3000;
/** Client-side limit, ms, for a server that hangs. */
const CLIENT_TIMEOUT_MS = 12_000;
const CONNECT_TIMEOUT_MS = 3000;

/**
 * Prevents plan flips: on a table that ANALYZE saw empty, a sequential scan, a bitmap or a hash join looks cheap and is
 * ruinous a minute later.
 */
const SETTINGS: Record<string, string> = {
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  lock_timeout: "1000",
  idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_TIMEOUT_MS),
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
  jit: "off",
  plan_cache_mode: "force_generic_plan",
  max_parallel_workers_per_gather: "0",
  ...TEXT_FORMS,
};

/** The settings that plans depend on, as assignments. */
export const PLANNER_SETTINGS: readonly string[] = Object.entries(SETTINGS)
  .filter(([name]) => name.startsWith("enable_") || name.startsWith("max_parallel") || name === "jit")
  .map(([name, value]) => `${name} = '${value}'`);

const assignments = (keyword: string) =>
  Object.entries(SETTINGS)
    .map(([name, value]) => `${keyword} ${name} = '${value}'`)
    .join("; ");

type Row = (string | null)[];

/** One connection inside a transaction. Rows come as arrays of texts. */
export interface RelaySession {
  /** A statement with parameters, prepared once per connection under `name`. */
  query(name: string, text: string, values: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number }>;
  /** Statements without parameters in one round trip; returns the rows of each. */
  script(text: string): Promise<Row[][]>;
  /** The connection, in the same transaction, for statements shared with operators; rows as objects. */
  readonly client: pg.PoolClient;
}

export interface OneTripStep extends PreparedStep {
  text: string;
}

/** A statement without parameters, or one prepared once per connection. */
export type Line = string | OneTripStep;

/** The relay's own few connections to one database. */
export class RelaySessions {
  readonly #pool: pg.Pool;
  /** True if the connection is not pooled: its settings and prepared statements stay ours. */
  readonly #direct = new WeakMap<pg.PoolClient, boolean>();
  readonly #prepared = new WeakMap<pg.PoolClient, Set<string>>();

  constructor(options: { url: string; max?: number }) {
    this.#pool = new pg.Pool({
      connectionString: connectionString(options.url),
      application_name: "outbox-console relay",
      max: options.max ?? POOL_SIZES.relay,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      query_timeout: CLIENT_TIMEOUT_MS,
      idleTimeoutMillis: 0,
      keepAlive: true,
      keepAliveInitialDelayMillis: 5000,
    });
    // An idle connection that dies is replaced by the next transaction, which reports its own error.
    this.#pool.on("error", () => undefined);
  }

  /**
   * Runs `work` between BEGIN and COMMIT. `opening` travels with BEGIN, `closing` with COMMIT; frequent ones are
   * prepared steps. `close` commits early: it runs further statements, then `closing`, and returns the rows of each. `read` returns
   * the rows of a step as the server sends them, which costs less for thousands than `session.query`. Throws
   * CommitDoubtError if the commit was sent and no answer came.
   */
  async transaction<T>(input: {
    opening?: readonly Line[];
    closing?: readonly Line[];
    work: (
      session: RelaySession,
      opened: Row[][],
      close: (more?: readonly Line[]) => Promise<Row[][]>,
      read: (step: OneTripStep) => Promise<Row[]>,
    ) => Promise<T>;
  }): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    let committing = false;
    try {
      const direct = this.#direct.get(client) ?? (await this.#prepare(client));
      const session = sessionOf(client, direct);
      const opening = input.opening ?? [];
      const begin = direct ? ["BEGIN"] : ["BEGIN", assignments("SET LOCAL")];
      const opened = await this.#trip(client, [...begin, ...opening]);
      let closed: Row[][] | undefined;
      const close = async (more: readonly Line[] = []) => {
        if (closed) return closed;
        committing = true;
        closed = (await this.#trip(client, [...more, ...(input.closing ?? []), "COMMIT"])).slice(0, -1);
        committing = false;
        return closed;
      };
      const read = async (step: OneTripStep) => (await this.#trip(client, [step]))[0] ?? [];
      const result = await input.work(session, opened.slice(opened.length - opening.length), close, read);
      await close();
      return result;
    } catch (error) {
      broken = await rollBack(client, error);
      throw committing && isConnectionError(error) ? new CommitDoubtError(error) : error;
    } finally {
      client.release(broken);
    }
  }

  /**
   * Runs a whole transaction in one round trip, each statement prepared once per connection. Returns the rows of each.
   * Over a pooler, where nothing can be prepared, it takes one trip per statement plus two.
   */
  async once(steps: readonly OneTripStep[]): Promise<Row[][]> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      const direct = this.#direct.get(client) ?? (await this.#prepare(client));
      if (direct) return await this.#trip(client, steps);
      const results = await this.#trip(client, ["BEGIN", assignments("SET LOCAL"), ...steps, "COMMIT"]);
      return results.slice(-1 - steps.length, -1);
    } catch (error) {
      broken = await rollBack(client, error);
      throw isConnectionError(error) ? new CommitDoubtError(error) : error;
    } finally {
      client.release(broken);
    }
  }

  /** Opens every connection and executes the statements on each, so that no message pays for the preparation. */
  async warmUp(steps: readonly OneTripStep[]): Promise<void> {
    await Promise.allSettled(Array.from({ length: this.#pool.options.max }, () => this.once(steps)));
  }

  /** One round trip, unless there are parameters and the connection is pooled. */
  async #trip(client: pg.PoolClient, lines: readonly Line[]): Promise<Row[][]> {
    const steps = lines.filter((line) => typeof line !== "string");
    const direct = this.#direct.get(client) === true;
    if (steps.length === 0) return sessionOf(client, direct).script(lines.join("; "));
    if (!direct) return severalTrips(client, lines);
    await this.#prepareSteps(client, steps);
    return executePrepared(client, lines);
  }

  async #prepareSteps(client: pg.PoolClient, steps: readonly OneTripStep[]): Promise<void> {
    const known = this.#prepared.get(client) ?? new Set();
    if (known.size === 0) this.#prepared.set(client, known);
    for (const { name, text } of steps) {
      if (known.has(name)) continue;
      await client.query(`PREPARE ${name} AS ${text}`);
      known.add(name);
    }
  }

  /** One statement as its own transaction; one round trip over an unpooled connection. */
  async single(name: string, text: string, values: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number }> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      const direct = this.#direct.get(client) ?? (await this.#prepare(client));
      if (direct) return await sessionOf(client, direct).query(name, text, values);
    } catch (error) {
      broken = isConnectionError(error) || isOutdated(error) ? (error as Error) : undefined;
      throw error;
    } finally {
      client.release(broken);
    }
    return this.transaction({ work: (session) => session.query(name, text, values) });
  }

  /** A query from another part of this program, with rows as objects. */
  async plain<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      client.release(broken);
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /**
   * Detects a pooler: it reports another process id than the server's. Settings of a pooled session would reach other
   * clients, so none are set.
   */
  async #prepare(client: pg.PoolClient): Promise<boolean> {
    // A connection that dies between statements fails the next one; without a listener the event would end the process.
    client.on("error", () => undefined);
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
    const direct = "processID" in client && client.processID === rows[0]?.pid;
    if (direct) await client.query(assignments("SET"));
    this.#direct.set(client, direct);
    return direct;
  }
}

/** The commit was sent and no answer came: the transaction may or may not have committed. */
export class CommitDoubtError extends Error {
  override readonly name = "CommitDoubtError";
  constructor(cause: unknown) {
    super("The connection was lost while a transaction was being committed.", { cause });
  }
}

async function severalTrips(client: pg.PoolClient, lines: readonly Line[]): Promise<Row[][]> {
  const session = sessionOf(client, false);
  const results: Row[][] = [];
  for (const line of lines) {
    if (typeof line === "string") results.push(...(await session.script(line)));
    else results.push((await session.query(line.name, line.text, line.values)).rows);
  }
  return results;
}

function sessionOf(client: pg.PoolClient, direct: boolean): RelaySession {
  return {
    client,
    async query(name, text, values) {
      const result = await client.query<Row>({
        text,
        values: [...values],
        rowMode: "array",
        ...(direct ? { name } : {}),
      } as pg.QueryArrayConfig<unknown[]>);
      return { rows: result.rows, rowCount: result.rowCount ?? 0 };
    },
    async script(text) {
      const result: unknown = await client.query({ text, rowMode: "array" });
      return (Array.isArray(result) ? result : [result]).map((part: pg.QueryArrayResult<Row>) => part.rows);
    },
  };
}

/** The error that makes the connection unusable; undefined if it can go back to the pool. */
async function rollBack(client: pg.PoolClient, error: unknown): Promise<Error | undefined> {
  const failure = error instanceof Error ? error : new Error(String(error));
  if (isConnectionError(error) || isOutdated(error)) return failure;
  return client.query("ROLLBACK").then(
    () => undefined,
    (second: unknown) => (second instanceof Error ? second : failure),
  );
}
