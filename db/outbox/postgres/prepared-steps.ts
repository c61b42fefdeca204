import type pg from "pg";

type Row = (string | null)[];

/** A statement that its connection has prepared under this name. */
export interface PreparedStep {
  name: string;
  /** Parameters as texts. */
  values: readonly string[];
}

/**
 * Executes prepared statements one after the other, in one round trip and one transaction: the server begins it with
 * the first and commits it when all are done, each with a snapshot of its own. Returns the rows of each.
 */
export function executePrepared(client: pg.PoolClient, steps: readonly PreparedStep[]): Promise<Row[][]> {
  return new Promise((resolve, reject) => {
    client.query(new PreparedSteps(steps, (error, rows) => (error ? reject(error) : resolve(rows ?? []))));
  });
}

/** As `pg` has its own queries: what is called is what the server answers. No row is described, since all are texts. */
class PreparedSteps implements pg.Submittable {
  readonly #steps: readonly PreparedStep[];
  readonly #done: Row[][] = [];
  #rows: Row[] = [];
  /** The client puts its timeout around it. */
  callback: (error: Error | null, rows?: Row[][]) => void;

  constructor(steps: readonly PreparedStep[], callback: (error: Error | null, rows?: Row[][]) => void) {
    this.#steps = steps;
    this.callback = callback;
  }

  submit(connection: pg.Connection): void {
    const { stream } = connection;
    stream.cork();
    for (const { name, values } of this.#steps) {
      connection.bind({ statement: name, values: [...values] }, true);
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
