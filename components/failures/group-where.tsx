"use client";

import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import type { ReactNode } from "react";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { previewQuery } from "#components/operations/queries/operation-queries.ts";
import { useOutbox } from "#components/outbox/use-outbox.ts";
import { STATE_LOOKS } from "#components/ui/badges/state-badge.tsx";
import { EmptyState } from "#components/ui/notices/empty-state.tsx";
import { Panel } from "#components/ui/page/panel.tsx";
import { TypeName } from "#components/ui/values/type-name.tsx";
import type { FailureGroup } from "#contracts/message/messages.ts";
import type { OperationPreview } from "#contracts/message/operations.ts";
import { formatBytes, formatCount } from "#domain/format.ts";
import { MESSAGE_STATES } from "#domain/message/message-state.ts";
import css from "./group.module.css";
import { retryOf } from "./group-selection.ts";

const PACE_MS = 15_000;

/** The group's messages by type, aggregate, relay and state, as the preview of a retry counts them. */
export function GroupWhere({ outbox, group }: { outbox: string; group: FailureGroup }) {
  const selected = retryOf(group);
  const options = previewQuery(outbox, { action: "retry", filter: selected?.filter ?? { state: "failed" } });
  const error = useFailure(options.queryKey);
  const { data } = useQuery({
    ...options,
    ...liveOptions(useLive(), { atLeastMs: PACE_MS, freshness: false }),
    enabled: selected !== null,
  });
  return (
    <Panel
      title="Where"
      aside={data !== undefined && data.read < group.messages ? `of the first ${formatCount(data.read)}` : "messages"}
    >
      {data === undefined ? (
        <EmptyState small title={error === null && selected !== null ? "Counting…" : "Not counted."}>
          {error?.message}
        </EmptyState>
      ) : (
        <div className={css.where}>
          <Bars heading="Type" bars={typeBars(data)} />
          {/* One message each says nothing about where. */}
          {(data.topAggregates[0]?.messages ?? 0) > 1 && (
            <Bars heading={`Aggregate, the first of ${formatCount(data.aggregates)}`} bars={aggregateBars(data)} />
          )}
          {data.relays !== null && data.read > 0 && (
            <Bars heading={relayHeading(data.relays.length)} bars={relayBars(data.relays)} />
          )}
          <div>
            <Bars heading="State" bars={stateBars(data)} />
            {data.relays === null && (
              <p className="muted">Relays: not read, because this database keeps attempts message by message.</p>
            )}
            {data.payloadBytes !== null && <p className="muted">{formatBytes(data.payloadBytes)} of payload</p>}
          </div>
        </div>
      )}
    </Panel>
  );
}

interface Bar {
  key: string;
  label: ReactNode;
  messages: number;
}

function typeBars({ types }: OperationPreview): Bar[] {
  return types.map(({ eventType, messages }) => ({
    key: eventType ?? "",
    label: eventType === null ? <span className="muted">no type</span> : <TypeName name={eventType} />,
    messages,
  }));
}

function aggregateBars({ topAggregates }: OperationPreview): Bar[] {
  return topAggregates.map(({ aggregateType, aggregateId, messages }) => ({
    key: `${aggregateType ?? ""}/${aggregateId}`,
    label: <AggregateLink id={aggregateId} />,
    messages,
  }));
}

function AggregateLink({ id }: { id: string }) {
  const { href } = useOutbox();
  return (
    <Link className="mono" prefetch={false} href={href("/messages", { state: "all", aggregateId: id })} title={id}>
      <bdi>{id}</bdi>
    </Link>
  );
}

const RELAYS_SHOWN = 5;

function relayHeading(relays: number): string {
  const shown = relays > RELAYS_SHOWN ? `, the first ${RELAYS_SHOWN} of ${formatCount(relays)}` : "";
  return `Relay of the last failed attempt${shown}`;
}

function relayBars(relays: NonNullable<OperationPreview["relays"]>): Bar[] {
  return relays.slice(0, RELAYS_SHOWN).map(({ relay, messages }) => ({
    key: relay ?? "",
    label:
      relay === null ? (
        <span className="muted">not recorded</span>
      ) : (
        <span className="mono" title={relay}>
          {relay}
        </span>
      ),
    messages,
  }));
}

function stateBars({ types }: OperationPreview): Bar[] {
  return MESSAGE_STATES.flatMap((state) => {
    const messages = types.reduce((sum, type) => sum + (type.states[state] ?? 0), 0);
    return messages === 0 ? [] : [{ key: state, label: STATE_LOOKS[state].word, messages }];
  });
}

function Bars({ heading, bars }: { heading: string; bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ messages }) => messages));
  return (
    <div>
      <h3 className={css.heading}>{heading}</h3>
      <dl className={css.bars}>
        {bars.map(({ key, label, messages }) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>
              <span className={css.track} aria-hidden>
                <i style={{ width: `${(100 * messages) / most}%` }} />
              </span>
              {formatCount(messages)}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
