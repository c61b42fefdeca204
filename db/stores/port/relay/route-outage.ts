/** A route whose messages all fail while others get through: its messages wait and are probed. */
export interface RouteOutage {
  kind: "event_type" | "topic";
  /** The event type, or the topic. */
  name: string;
  code: string;
  message: string;
  /** RFC 3339, on the database clock: the first failure of the outage. */
  since: string;
  /** Null while a probe is under way. */
  nextProbeAt: string | null;
  /** Aggregates of which a message failed or waits behind one, as far as the relay has met them. */
  aggregates: number;
}
