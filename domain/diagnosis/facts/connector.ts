/** The slot that a connector of Debezium reads, as the server has it. */
export interface ConnectorSlot {
  slot: string;
  /** False: the server has no slot of that name. Everything below is null or false then. */
  found: boolean;
  active: boolean;
  walStatus: string | null;
  /** Log that the server keeps for the slot. */
  lagBytes: number | null;
  /** Log that the connector has not confirmed. */
  unconfirmedBytes: number | null;
}

/** Another connector of the same Kafka Connect that reads the same database. */
export interface OtherConnector {
  connector: string;
  state: string;
  slot: string | null;
  /** Sends the outbox's table through Debezium's outbox event router; null if its configuration does not say. */
  publishes: boolean | null;
}

export interface ConnectorTask {
  id: number;
  /** RUNNING, PAUSED, FAILED, UNASSIGNED, RESTARTING, or another word of Connect. */
  state: string;
  /** Passwords are masked. */
  trace: string | null;
}

/** The connector of Debezium that publishes the outbox, as Kafka Connect tells of it. */
export interface ConnectorFacts {
  connector: string;
  /** Address of Kafka Connect, without a password. */
  address: string;
  /** Why its state is not known, as a sentence; null if it is. `absent`: Connect has no such connector. */
  problem: { kind: "absent" | "unreachable" | "refused" | "busy" | "strange"; message: string } | null;
  /** RUNNING, PAUSED, STOPPED, FAILED, UNASSIGNED, RESTARTING, or another word of Connect; null if it is not known. */
  state: string | null;
  trace: string | null;
  tasks: ConnectorTask[];
  /** Name of its replication slot; null for a connector without one, or if it is not known. */
  slot: string | null;
  /** The server keeps its log for the connector, in a slot; false: it removes its log by age. */
  logKept: boolean;
  /** Since when rows arrive and the offset does not move; null if it moves, nothing arrives, or it is not known. */
  stalledSince: string | null;
  /** Null if Kafka Connect did not list them. */
  others: OtherConnector[] | null;
}

/** A setting of the server that keeps rows out of what a connector reads, without an error. */
export interface HidingSetting {
  name: string;
  value: string;
  /** What it must be. */
  right: string;
  /** A clause. */
  effect: string;
}

/** Rows that were marked as published within the last minute, since the last change-over. */
export interface FreshMarks {
  messages: number;
  capped: boolean;
  /** Column with the mark. */
  column: string;
  lastAt: string | null;
}
