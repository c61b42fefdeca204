export interface ReceivedEvent {
  id: string;
  eventType: string;
  aggregateId: string;
  /** The request's body, as text. */
  payload: string;
}

/** Processes an event exactly once; returns "repeat" without doing anything when its inbox already has the event. */
export interface Consumer {
  name: string;
  consume(event: ReceivedEvent): Promise<"processed" | "repeat">;
}
