import type { RelayList } from "#contracts/outbox/relays.ts";
import { capitalize } from "#domain/format.ts";

type Pause = RelayList["pauses"][number];

/** Subject of a pause; the whole outbox when neither is named. */
export interface PauseSubject {
  eventType?: string;
  aggregateKey?: string;
}

export function subjectOf({ scope, subject }: Pick<Pause, "scope" | "subject">): PauseSubject {
  if (scope === "event_type") return { eventType: subject };
  return scope === "aggregate" ? { aggregateKey: subject } : {};
}

/** In words, for titles and buttons. */
export function subjectName(outbox: string, { eventType, aggregateKey }: PauseSubject): string {
  if (eventType !== undefined) return `event type ${eventType}`;
  return aggregateKey === undefined ? outbox : `aggregate ${aggregateKey}`;
}

export function pauseOf(list: RelayList | undefined, outbox: string, subject: PauseSubject): Pause | undefined {
  return list?.pauses.find((pause) => {
    const other = subjectOf(pause);
    return (
      pause.outbox === outbox && other.eventType === subject.eventType && other.aggregateKey === subject.aggregateKey
    );
  });
}

/** The same at the start of a sentence; the name of an outbox stays as it is. */
export function subjectAtStart(outbox: string, subject: PauseSubject): string {
  const name = subjectName(outbox, subject);
  return name === outbox ? name : capitalize(name);
}
