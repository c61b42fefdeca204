/** A route whose messages all fail while others succeed: its messages are held and probed. */
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
  /** Aggregates with a failed message or one waiting behind it, among those the relay has read. */
  aggregates: number;
}
