"use client";

import { useQuery } from "@tanstack/react-query";
import { connectorQuery } from "#components/api/queries.ts";
import { liveOptions } from "#components/live/live-options.ts";
import { useLive } from "#components/live/live-provider.tsx";
import { useFailure } from "#components/live/use-failure.ts";
import { Badge } from "#components/ui/badges/badge.tsx";
import { SilenceNote } from "#components/ui/notices/silence-note.tsx";
import { Fact } from "#components/ui/values/fact.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { Connector } from "#contracts/outbox/connectors.ts";
import { formatBytes } from "#domain/format.ts";
import { ConnectorControls } from "./connector-controls.tsx";
import { connectorState } from "./connector-state.ts";
import css from "./relays.module.css";

/** The connector of Debezium in the place of our relays: its state, tasks, position, slot and topics. */
export function ConnectorPanel({ outbox }: { outbox: string }) {
  const options = connectorQuery(outbox);
  const failure = useFailure(options.queryKey);
  const { data, refetch } = useQuery({ ...options, ...liveOptions(useLive()) });
  return (
    <>
      {failure !== null && (
        <SilenceNote
          title="The connector could not be read."
          error={failure}
          asOf={data?.asOf}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined && failure === null && <div className={css.skeleton} aria-busy />}
      {data !== undefined && <ConnectorCard connector={data} silent={failure !== null} />}
    </>
  );
}

function ConnectorCard({ connector, silent }: { connector: Connector; silent: boolean }) {
  const { word, tone } = connectorState(connector);
  return (
    <article className={css.card} data-testid="connector" data-state={connector.state ?? "unknown"}>
      <div className={css.head}>
        <Badge tone={tone}>{word}</Badge>
        <h2>{connector.connector}</h2>
        <span className={`mono ${css.host}`}>Kafka Connect at {connector.address}</span>
        <span className={css.sink}>
          <ConnectorControls connector={connector} silent={silent} />
        </span>
      </div>
      {connector.problem !== null && <p className={css.breaker}>{connector.problem}</p>}
      {connector.trace !== null && <Trace title="The connector failed" trace={connector.trace} />}
      <Tasks tasks={connector.tasks} />
      <SlotNote connector={connector} />
      <Facts connector={connector} />
      {connector.offsetProblem !== null && <p className={css.lastError}>{connector.offsetProblem}</p>}
      <Topics topics={connector.topics} />
      {connector.config !== null && <Configuration config={connector.config} />}
    </article>
  );
}

function Tasks({ tasks }: Pick<Connector, "tasks">) {
  return tasks.map((task) =>
    task.trace === null ? null : <Trace key={task.id} title={`Task ${task.id} failed`} trace={task.trace} />,
  );
}

function Trace({ title, trace }: { title: string; trace: string }) {
  const [first, ...rest] = trace.split("\n");
  return (
    <div className={css.breaker}>
      <b>{title}:</b> {first}
      {rest.length > 0 && (
        <details>
          <summary>The whole trace</summary>
          <pre className={css.trace}>{rest.join("\n")}</pre>
        </details>
      )}
    </div>
  );
}

/** A paused connector leaves every state of the database looking normal. */
function SlotNote({ connector: { state, slot } }: { connector: Connector }) {
  const halted = state === "PAUSED" || state === "STOPPED";
  if (!halted || !slot?.found || slot.lagBytes === null) return null;
  return (
    <p className={`${css.pause} ${css.kept}`}>
      <span>
        <b>The server keeps {formatBytes(slot.lagBytes)} of log for the slot</b> {slot.name}, and more with every write
        {slot.active ? "; the slot still counts as active" : ""}. A full disk stops every writer.
      </span>
    </p>
  );
}

function Facts({ connector: { offset, slot, tasks } }: { connector: Connector }) {
  return (
    <dl className={css.facts}>
      <Fact label="Tasks">{tasks.map(({ id, state }) => `${id}: ${state.toLowerCase()}`).join(", ") || "none"}</Fact>
      <Fact label="Position">
        <span className="mono">{offset?.position ?? "–"}</span>
      </Fact>
      <Fact label="Last commit">
        <span className="mono">{offset?.commit ?? "–"}</span>
      </Fact>
      <Fact label="Transaction">
        <span className="mono">{offset?.transaction ?? "–"}</span>
      </Fact>
      <Fact label="Change of">
        <Instant at={offset?.at ?? null} />
      </Fact>
      <Fact label="Slot">{slot === null ? "–" : `${slot.name}, ${slotWord(slot)}`}</Fact>
      <Fact label="Not confirmed">{bytes(slot?.unconfirmedBytes)}</Fact>
      <Fact label="Log kept">{bytes(slot?.lagBytes)}</Fact>
    </dl>
  );
}

function slotWord({ found, active, walStatus }: NonNullable<Connector["slot"]>): string {
  if (!found) return "gone";
  if (walStatus === "lost" || walStatus === "unreserved") return walStatus;
  return active ? "active" : "not read";
}

function bytes(count: number | null | undefined): string {
  return count === null || count === undefined ? "–" : formatBytes(count);
}

function Topics({ topics }: Pick<Connector, "topics">) {
  if (topics === null || topics.length === 0) return null;
  return (
    <p className={css.stream}>
      <span className="muted">Topics</span> <span className="mono">{topics.join(", ")}</span>
    </p>
  );
}

function Configuration({ config }: { config: Record<string, string> }) {
  const lines = Object.entries(config).sort(([one], [other]) => one.localeCompare(other));
  return (
    <details className={css.stream}>
      <summary>Configuration in Kafka Connect, passwords masked</summary>
      <pre className={css.trace}>{lines.map(([name, value]) => `${name} = ${value}`).join("\n")}</pre>
    </details>
  );
}
