export interface BenchRow {
  id: string;
  type: string;
  aggregate: string;
  event: string;
  payload: string;
  created: string;
}

/** What a reference publishes with: a client that is widely used, and nothing around it. */
export interface Publisher {
  /** All of them, as quickly as the client can; no order is kept. Resolves once all are confirmed. */
  all(rows: readonly BenchRow[]): Promise<void>;
  /** One, confirmed. */
  one(row: BenchRow): Promise<void>;
  close(): Promise<void>;
}
