export interface BenchRow {
  id: string;
  type: string;
  aggregate: string;
  event: string;
  payload: string;
  created: string;
}

/** How a reference publishes: a widely used client and nothing more. */
export interface Publisher {
  /** Publishes all messages as fast as the client can, in no order. Resolves once all are confirmed. */
  all(rows: readonly BenchRow[]): Promise<void>;
  /** Publishes one message and waits for its confirmation. */
  one(row: BenchRow): Promise<void>;
  close(): Promise<void>;
}
