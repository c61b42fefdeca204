/** Something that is paused on purpose: the whole outbox, an event type or an aggregate, by its key. */
export interface PauseEntry {
  scope: "outbox" | "event_type" | "aggregate";
  /** Empty for the whole outbox. */
  subject: string;
  reason: string;
  by: string;
  until: string | null;
  /** The dead message behind which the relay itself holds the aggregate. */
  messageId: string | null;
}
