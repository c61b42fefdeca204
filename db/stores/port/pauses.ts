type PauseScope = "outbox" | "event_type" | "aggregate";

/** A pause, or an aggregate that the relay holds behind a dead message. */
export interface PauseRow {
  outbox: string;
  scope: PauseScope;
  /** The event type or the aggregate's key; empty for the whole outbox. */
  subject: string;
  reason: string;
  by: string;
  at: string;
  until: string | null;
  /** The dead message behind which the relay holds the aggregate; null for a person's pause. */
  messageId: string | null;
}

export interface PauseSubject {
  outbox: string;
  scope: PauseScope;
  subject: string;
}

/** Counts of withheld messages while others flow: paused by an operator, or held by the relay behind a dead message. */
export interface PartialPauses {
  eventTypes: number;
  aggregates: number;
  holds: number;
  /** Names of the first three paused event types. */
  typeNames: string[];
}
