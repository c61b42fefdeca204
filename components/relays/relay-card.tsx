import { formatCompact } from "#components/ui/format/format-figure.ts";
import { Age } from "#components/ui/values/age.tsx";
import { Fact } from "#components/ui/values/fact.tsx";
import { Instant } from "#components/ui/values/instant.tsx";
import type { RelayInstance } from "#contracts/outbox/relays.ts";
import { endSentence } from "#domain/diagnosis/phrases.ts";
import { formatCount, formatRate } from "#domain/format.ts";
import { formatShare } from "./format-partitions.ts";
import { RelayStateBadge } from "./relay-state.tsx";
import { lastErrorText, shownState, stateMeaning } from "./relay-words.ts";
import css from "./relays.module.css";
import { StreamLine } from "./stream-line.tsx";

/** One running process: its work, the age of its heartbeat, how much it has published, and what stops it. */
export function RelayCard({ relay }: { relay: RelayInstance }) {
  const state = shownState(relay);
  const isSilent = state === "silent";
  const lastError = lastErrorText(relay);
  return (
    <article className={css.card} data-testid="relay" data-state={relay.state}>
      <div className={css.head}>
        <RelayStateBadge state={state} />
        <h2>{relay.outbox}</h2>
        <span className={`mono ${css.host}`} title={relay.id}>
          {relay.host} · pid {relay.pid}
        </span>
        <span className={css.share}>{formatShare(relay.partitions)}</span>
        <span className={css.sink}>
          {relay.source} → {relay.sink.name} <span className="mono">{relay.sink.address}</span>
        </span>
      </div>
      {state !== "owner" && (isSilent || relay.breaker === null) && (
        <p className={css.meaning}>{stateMeaning(relay)}</p>
      )}
      {relay.breaker !== null && <Breaker breaker={relay.breaker} />}
      {relay.routes.map((route) => (
        <RouteBreaker key={`${route.kind} ${route.name}`} route={route} />
      ))}
      <dl className={css.facts}>
        <Fact label="Heartbeat">
          <Age seconds={relay.heartbeatAgeSeconds} /> ago
        </Fact>
        <Fact label="Published">
          <span title={formatCount(relay.published)}>{formatCompact(relay.published)}</span>
        </Fact>
        <Fact label="Per second">
          {isSilent || relay.publishedPerSecond === null ? "–" : formatRate(relay.publishedPerSecond)}
        </Fact>
        <Fact label="In flight">{isSilent ? "–" : formatCount(relay.inFlight)}</Fact>
        <Fact label="Failures">{formatCount(relay.failures)}</Fact>
        <Fact label="Last publish">
          <Instant at={relay.lastPublishedAt} />
        </Fact>
        <Fact label="Started">
          <Instant at={relay.startedAt} />
        </Fact>
        <Fact label="Version">{relay.version}</Fact>
      </dl>
      {relay.stream !== null && <StreamLine stream={relay.stream} />}
      {lastError !== null && (
        <p className={css.lastError}>
          <span className="muted">
            Last error
            {relay.lastErrorAt !== null && (
              <>
                {" "}
                at <Instant at={relay.lastErrorAt} />
              </>
            )}
          </span>{" "}
          {lastError}
        </p>
      )}
      {relay.lateCommits > 0 && (
        <p className={`tone-warn ${css.lateCommits}`}>
          {formatCount(relay.lateCommits)} committed late: a later message of the same aggregate was already published.
        </p>
      )}
    </article>
  );
}

function Breaker({ breaker }: { breaker: NonNullable<RelayInstance["breaker"]> }) {
  return (
    <p className={css.breaker}>
      <b>The sink cannot be used</b> since <Instant at={breaker.since} />: {breaker.code},{" "}
      {endSentence(breaker.message)} No attempts are used up.
      {breaker.nextProbeAt !== null && (
        <>
          {" "}
          Next probe <Instant at={breaker.nextProbeAt} />.
        </>
      )}
    </p>
  );
}

/** One type or topic is held back while the others flow. */
function RouteBreaker({ route }: { route: RelayInstance["routes"][number] }) {
  return (
    <p className={css.breaker}>
      <b>
        {route.kind === "event_type" ? "Every delivery of" : "Every delivery to"} {route.name} fails
      </b>{" "}
      since <Instant at={route.since} />: {route.code}, {endSentence(route.message)} It is held back; other messages are
      not.
      {route.nextProbeAt !== null && (
        <>
          {" "}
          Next probe <Instant at={route.nextProbeAt} />.
        </>
      )}
    </p>
  );
}
