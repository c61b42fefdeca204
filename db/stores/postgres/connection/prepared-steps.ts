import type pg from "pg";

type Row = (string | null)[];

/** A statement prepared under this name on its connection. */
export interface PreparedStep {
  name: string;
  /** Parameters as texts. */
  values: readonly (string | null)[];
}

/**
 * Executes prepared statements, and texts such as BEGIN, in order and in one round trip. Without a BEGIN they form one
 * transaction: the server begins it with the first and commits after the last. Each has its own snapshot. Returns the
 * rows of each.
 */
export function executePrepared(client: pg.PoolClient, steps: readonly (PreparedStep | string)[]): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    client.query(new PreparedSteps(steps, (error, rows) => (error ? reject(error) : resolve(rows ?? []))));
  });
}

/**
 * Implements `pg`'s query protocol: `pg` calls a method per server message. Rows are not described; all values are
 * texts.
 */
class PreparedSteps implements pg.Submittable {
  readonly #steps: readonly (PreparedStep | string)[];
  readonly #done: Row[][] = [];
  #rows: Row[] = [];
  /** The client wraps this with its timeout. */
  callback: (error: Error | null, rows?: Row[][]) => void;

  constructor(steps: readonly (PreparedStep | string)[], callback: (error: Error | null, rows?: Row[][]) => void) {
    this.#steps = steps;
    this.callback = callback;
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection;
    stream.cork();
    for (const step of this.#steps) {
      if (typeof step === "string") {
        connection.parse({ name: "", text: step, types: [] }, true);
        connection.bind({}, true);
      } else connection.bind({ statement: step.name, values: [...step.values] }, true);
      connection.execute(null, true);
    }
    connection.sync();
    stream.uncork();
  }

  handleDataRow({ fields }: { fields: Row }): void {
    this.#rows.push(fields);
  }

  handleCommandComplete(): void {
    this.#done.push(this.#rows);
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#done);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}
