import type pg from "pg";

type Row = (string | null)[];

/** A statement that its connection has prepared under this name. */
export interface PreparedStep {
  name: string;
  /** Parameters as texts. */
  values: readonly string[];
}

/**
 * Executes prepared statements, and texts such as BEGIN, one after the other in one round trip. Without a BEGIN they are
 * one transaction: the server begins it with the first and commits it when all are done. Each has a snapshot of its
 * own. Returns the rows of each.
 */
export function executePrepared(client: pg.PoolClient, steps: readonly (PreparedStep | string)[]): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    client.query(new PreparedSteps(steps, (error, rows) => (error ? reject(error) : resolve(rows ?? []))));
  });
}

/** As `pg` has its own queries: what is called is what the server answers. No row is described, since all are texts. */
class PreparedSteps implements pg.Submittable {
  readonly #steps: readonly (PreparedStep | string)[];
  readonly #done: Row[][] = [];
  #rows: Row[] = [];
  /** The client puts its timeout around it. */
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
