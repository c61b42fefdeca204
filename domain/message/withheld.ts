import { formatPlural } from "../format.ts";

/** What is paused or held on purpose while the rest of the outbox flows. */
export interface Withheld {
  eventTypes: number;
  aggregates: number;
  /** Aggregates that the relay holds behind a dead message. */
  holds: number;
  /** Names of the first three paused event types. */
  typeNames?: string[];
}

/** "2 event types are paused, 1 aggregate is held behind a dead message"; null when nothing is withheld. */
export function describeWithheld({ eventTypes, aggregates, holds, typeNames = [] }: Withheld): string | null {
  const paused = [
    ...(eventTypes > 0 ? [`${formatPlural(eventTypes, "event type")}${namesOf(eventTypes, typeNames)}`] : []),
    ...(aggregates > 0 ? [formatPlural(aggregates, "aggregate")] : []),
  ];
  const parts = [
    ...(paused.length > 0 ? [`${paused.join(" and ")} ${isOrAre(eventTypes + aggregates)} paused`] : []),
    ...(holds > 0
      ? [
          `${formatPlural(holds, "aggregate")} ${isOrAre(holds)} held behind ${holds === 1 ? "a dead message" : "dead messages"}`,
        ]
      : []),
  ];
  return parts.length === 0 ? null : parts.join(", ");
}

/** " (invoice.rendered)"; empty unless every paused type is named. */
function namesOf(eventTypes: number, names: readonly string[]): string {
  return names.length === eventTypes ? ` (${names.join(", ")})` : "";
}

function isOrAre(count: number): string {
  return count === 1 ? "is" : "are";
}
