/** A pause of the whole outbox, an event type or an aggregate (by its key). */
export interface PauseEntry {
  scope: "outbox" | "event_type" | "aggregate";
  /** Empty for the whole outbox. */
  subject: string;
  reason: string;
  by: string;
  until: string | null;
  /** Dead message behind which the relay holds the aggregate; null for an operator's pause. */
  messageId: string | null;
}
