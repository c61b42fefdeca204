"use client";

import { useQuery } from "@tanstack/react-query";
import { relaysQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { type PauseSubject, pauseOf } from "#components/relays/pause-subject.ts";
import { RelayControls } from "#components/relays/relay-controls.tsx";
import type { MessageDetail } from "#contracts/message/messages.ts";
import css from "./why-box.module.css";

const PACE_MS = 5_000;

/** Pauses this message's event type or aggregate, or resumes it, where our relay publishes the outbox. */
export function PauseControls({ message }: { message: MessageDetail["message"] }) {
  const { name, outbox } = useOutbox();
  const relayed = name !== undefined && outbox?.mode === "relay";
  const error = useFailure(relaysQuery().queryKey);
  const { data } = useQuery({
    ...relaysQuery(),
    ...liveOptions(useLive(), { atLeastMs: PACE_MS, freshness: false }),
    enabled: relayed,
  });
  if (!relayed || (data === undefined && error !== null)) return null;
  const { aggregateId, aggregateType, eventType } = message;
  const subjects: { subject: PauseSubject; label: string }[] = [];
  if (eventType !== null) subjects.push({ subject: { eventType }, label: "this event type" });
  if (aggregateId !== null) {
    const aggregateKey = aggregateType === null ? aggregateId : `${aggregateType}/${aggregateId}`;
    subjects.push({ subject: { aggregateKey }, label: "this aggregate" });
  }
  // Keeps its height until the answer arrives, so that the payload below does not move.
  if (data === undefined) return subjects.length > 0 && <p className={css.pauses} aria-busy data-waiting />;
  return (
    <p className={css.pauses}>
      {subjects.map(({ subject, label }) => (
        <RelayControls
          key={label}
          outbox={name}
          subject={subject}
          paused={pauseOf(data, name, subject)}
          silent={error !== null}
          label={label}
        />
      ))}
    </p>
  );
}
