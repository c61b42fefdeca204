import type pg from "pg";
import { isConnectionError, isOutdated } from "#db/stores/postgres/connection/database-error.ts";
import type { RelayMember, RelayPoolLimits } from "#db/stores/shared/connection/relay-pool.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { executePrepared, type PreparedStep } from "./prepared-steps.ts";
import { openRelayPool, type PostgresRelayPool, type RelayConnections } from "./relay-connections.ts";
import { sessionAssignments } from "./session-settings.ts";

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

interface Loan {
  client: pg.PoolClient;
  direct: boolean;
  prepared: Set<string>;
  /** An error closes the connection. */
  end(broken: Error | undefined): void;
}

/** One relay's transactions over the connections that the relays of its store share. */
export class RelaySessions {
  readonly #member: RelayMember<RelayConnections>;
  readonly #isUrgent: boolean;
  #urgent: RelaySessions | undefined;

  private constructor(member: RelayMember<RelayConnections>, isUrgent: boolean) {
    this.#member = member;
    this.#isUrgent = isUrgent;
  }

  static of(pool: PostgresRelayPool): RelaySessions {
    return new RelaySessions(pool.join(), false);
  }

  /** Over connections of its own. */
  static over(options: { url: string } & RelayPoolLimits): RelaySessions {
    return RelaySessions.of(openRelayPool(options));
  }

  /** The same for what must not wait behind other work, because the lease depends on it. */
  get urgent(): RelaySessions {
    this.#urgent ??= new RelaySessions(this.#member, true);
    return this.#urgent;
  }

  /**
   * Runs `work` between BEGIN and COMMIT. `opening` travels with BEGIN, `closing` with COMMIT; frequent ones are
   * prepared steps. `close` commits early: it runs further statements, then `closing`, and returns the rows of each.
   * `read` returns the rows of a step as the server sends them, which costs less for thousands than `session.query`.
   * Throws CommitInDoubtError if the commit was sent and no answer came.
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
    const loan = await this.#borrow();
    let broken: Error | undefined;
    let committing = false;
    try {
      const opening = input.opening ?? [];
      const begin = loan.direct ? ["BEGIN"] : ["BEGIN", sessionAssignments("SET LOCAL")];
      const opened = await this.#trip(loan, [...begin, ...opening]);
      let closed: Row[][] | undefined;
      const close = async (more: readonly Line[] = []) => {
        if (closed) return closed;
        committing = true;
        closed = (await this.#trip(loan, [...more, ...(input.closing ?? []), "COMMIT"])).slice(0, -1);
        committing = false;
        return closed;
      };
      const read = async (step: OneTripStep) => (await this.#trip(loan, [step]))[0] ?? [];
      const result = await input.work(this.#sessionOf(loan), opened.slice(opened.length - opening.length), close, read);
      await close();
      return result;
    } catch (error) {
      broken = await rollBack(loan.client, error);
      throw committing && isConnectionError(error) ? new CommitInDoubtError(error) : error;
    } finally {
      loan.end(broken);
    }
  }

  /**
   * Runs a whole transaction in one round trip, each statement prepared once per connection. Returns the rows of each.
   * Over a pooler, where nothing can be prepared, it takes one trip per statement plus two.
   */
  async once(steps: readonly OneTripStep[]): Promise<Row[][]> {
    const loan = await this.#borrow();
    let broken: Error | undefined;
    try {
      if (loan.direct) return await this.#trip(loan, steps);
      const results = await this.#trip(loan, ["BEGIN", sessionAssignments("SET LOCAL"), ...steps, "COMMIT"]);
      return results.slice(-1 - steps.length, -1);
    } catch (error) {
      broken = await rollBack(loan.client, error);
      throw isConnectionError(error) ? new CommitInDoubtError(error) : error;
    } finally {
      loan.end(broken);
    }
  }

  /**
   * Opens as many connections as one relay uses and executes the statements on each, so that no message pays for the
   * preparation.
   */
  async warmUp(steps: readonly OneTripStep[]): Promise<void> {
    await Promise.allSettled(Array.from({ length: this.#member.most }, () => this.once(steps)));
  }

  /** One round trip, unless there are parameters and the connection is pooled. */
  async #trip(loan: Loan, lines: readonly Line[]): Promise<Row[][]> {
    const steps = lines.filter((line) => typeof line !== "string");
    const session = this.#sessionOf(loan);
    if (steps.length === 0) return session.script(lines.join("; "));
    if (!loan.direct) return severalTrips(session, lines);
    await this.#prepareSteps(loan, steps);
    const named = lines.map((line) =>
      typeof line === "string" ? line : { name: this.#nameOf(line.name), values: line.values },
    );
    return executePrepared(loan.client, named);
  }

  async #prepareSteps({ client, prepared }: Loan, steps: readonly OneTripStep[]): Promise<void> {
    for (const { name, text } of steps) {
      if (prepared.has(name)) continue;
      await client.query(`PREPARE ${this.#nameOf(name)} AS ${text}`);
      prepared.add(name);
    }
  }

  /** One statement as its own transaction; one round trip over an unpooled connection. */
  async single(name: string, text: string, values: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number }> {
    const loan = await this.#borrow();
    let broken: Error | undefined;
    try {
      if (loan.direct) return await this.#sessionOf(loan).query(name, text, values);
    } catch (error) {
      broken = isConnectionError(error) || isOutdated(error) ? (error as Error) : undefined;
      throw error;
    } finally {
      loan.end(broken);
    }
    return this.transaction({ work: (session) => session.query(name, text, values) });
  }

  /** A query from another part of this program, with rows as objects. */
  async plain<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const loan = await this.#borrow();
    let broken: Error | undefined;
    try {
      return await work(loan.client);
    } catch (error) {
      broken = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      loan.end(broken);
    }
  }

  close(): Promise<void> {
    return this.#member.leave();
  }

  async #borrow(): Promise<Loan> {
    const { turns, connections, number } = this.#member;
    await turns.take(this.#isUrgent);
    try {
      const taken = await connections.take(number);
      const end = (broken: Error | undefined) => {
        connections.giveBack(taken.client, broken);
        turns.end();
      };
      return { ...taken, end };
    } catch (error) {
      turns.end();
      throw error;
    }
  }

  /** The name under which the relay prepares a statement: other relays prepare another one on the same connection. */
  #nameOf(statement: string): string {
    const { number } = this.#member;
    return number === 1 ? statement : `${statement}_${number}`;
  }

  #sessionOf({ client, direct }: Loan): RelaySession {
    return {
      client,
      query: async (name, text, values) => {
        const result = await client.query<Row>({
          text,
          values: [...values],
          rowMode: "array",
          ...(direct ? { name: this.#nameOf(name) } : {}),
        } as pg.QueryArrayConfig<unknown[]>);
        return { rows: result.rows, rowCount: result.rowCount ?? 0 };
      },
      async script(text) {
        const result: unknown = await client.query({ text, rowMode: "array" });
        return (Array.isArray(result) ? result : [result]).map((part: pg.QueryArrayResult<Row>) => part.rows);
      },
    };
  }
}

async function severalTrips(session: RelaySession, lines: readonly Line[]): Promise<Row[][]> {
  const results: Row[][] = [];
  for (const line of lines) {
    if (typeof line === "string") results.push(...(await session.script(line)));
    else results.push((await session.query(line.name, line.text, line.values)).rows);
  }
  return results;
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
