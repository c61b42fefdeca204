import type { Target } from "../target.ts";

/** Publishes the table: the relay, or a reference for comparison. */
export interface Contender {
  /** Publishes until `stop`; resolves once it has begun. `instance` counts from 0 if several run at once. */
  start(input: { url: string; target: Target; instance: number }): Promise<{ stop(): Promise<void> }>;
}

export const CONTENDERS = {
  limit: "limit: read, publish, mark, pipelined by 1000",
  "limit-cdc": "limit: read the log, publish at once, mark in batches",
  tutorial: "tutorial loop: claim 100, publish one by one, mark",
  relay: "outbox console relay",
  "relay-cdc": "outbox console relay, by log",
  "relay-cdc-unmarked": "outbox console relay, by log, `mark: none`",
  "connect-relay": "outbox console relay, by polling",
  "connect-relay-cdc": "outbox console relay, by log",
  "connect-relay-unmarked": "outbox console relay, by log, `mark: none`",
  "mysql-limit": "limit: read, publish, mark, pipelined by 1000",
  "mysql-tutorial": "tutorial loop: claim 100, publish one by one, mark",
  "mysql-relay": "outbox console relay",
  "mysql-relay-cdc": "outbox console relay, by the binary log",
  "dynamodb-limit": "limit: read by index, publish, mark, pipelined by 1000",
  "dynamodb-tutorial": "tutorial loop: read 100 by index, publish and mark one by one",
  "dynamodb-relay": "outbox console relay",
  "dynamodb-relay-cdc": "outbox console relay, by the stream",
} as const;
export type ContenderName = keyof typeof CONTENDERS;
