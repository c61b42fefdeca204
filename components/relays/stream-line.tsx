import { Instant } from "#components/ui/values/instant.tsx";
import type { RelayInstance } from "#contracts/outbox/relays.ts";
import { formatBytes } from "#domain/format.ts";
import { isTimed } from "#domain/relay/slot-lag.ts";
import css from "./relays.module.css";

const TIMED_WORDS: Record<string, string> = { lost: "lost", unreserved: "about to be lost" };

/** For a relay that reads the log: whether it reads, and how much log it has not read yet. */
export function StreamLine({ stream }: { stream: NonNullable<RelayInstance["stream"]> }) {
  const timed = isTimed(stream.reader);
  const lost = stream.walStatus === "lost" || stream.walStatus === "unreserved";
  return (
    <p className={css.stream} data-testid="stream">
      <span className="muted">Log</span> {timed ? "reader" : "slot"} <span className="mono">{stream.slot}</span>,{" "}
      <span className={stream.connected ? undefined : "tone-warn"}>
        {stream.connected ? "reading" : "not reading"} since <Instant at={stream.since} />
      </span>
      {stream.lagBytes !== null &&
        (timed ? (
          <>, {formatBytes(stream.lagBytes)} of log to read</>
        ) : (
          <>, the server keeps {formatBytes(stream.lagBytes)} of log for it</>
        ))}
      {lost && <span className="tone-bad">, {timed ? TIMED_WORDS[stream.walStatus ?? ""] : stream.walStatus}</span>}
    </p>
  );
}
