import { formatBytes } from "#components/ui/format-figure.ts";
import { Instant } from "#components/ui/instant.tsx";
import type { RelayInstance } from "#contracts/relays.ts";
import css from "./relays.module.css";

/** For a relay that reads the log: whether it reads, and how much WAL the server retains for it. */
export function StreamLine({ stream }: { stream: NonNullable<RelayInstance["stream"]> }) {
  const lost = stream.walStatus === "lost" || stream.walStatus === "unreserved";
  return (
    <p className={css.stream} data-testid="stream">
      <span className="muted">Log</span> slot <span className="mono">{stream.slot}</span>,{" "}
      <span className={stream.connected ? undefined : "tone-warn"}>
        {stream.connected ? "reading" : "not reading"} since <Instant at={stream.since} />
      </span>
      {stream.lagBytes !== null && <>, the server keeps {formatBytes(stream.lagBytes)} of log for it</>}
      {lost && <span className="tone-bad">, {stream.walStatus}</span>}
    </p>
  );
}
