import { Age } from "#components/ui/values/age.tsx";
import type { RelayList } from "#contracts/outbox/relays.ts";
import css from "./relays.module.css";

/** The background services: without them these stop; counts and health do not. */
const STOPS = "charts, findings, alerts, retention and operations over more than 100 messages";

/** As long as its lease, which it renews every 2.5 s. It counts as gone after three times that. */
const SILENT_SECONDS = 10;

function isSilent({ heartbeatAgeSeconds }: RelayList["monitor"]): boolean {
  return heartbeatAgeSeconds !== null && heartbeatAgeSeconds > SILENT_SECONDS;
}

export function MonitorLine({ monitor }: { monitor: RelayList["monitor"] }) {
  return (
    <p className={css.monitor} data-testid="monitor">
      <b>Monitor</b>
      {monitor.alive === true && (
        <span>
          {isSilent(monitor) ? <span className="tone-warn">silent, last heartbeat</span> : "alive, heartbeat"}{" "}
          <Age seconds={monitor.heartbeatAgeSeconds} /> ago
          {monitor.id !== null && <span className="mono muted"> {monitor.id}</span>}
        </span>
      )}
      {monitor.alive === false && (
        <span>
          <span className="tone-warn">not running</span>
          <span className="muted">: {STOPS} stop; counts and health are read on demand.</span>
        </span>
      )}
      {monitor.alive === null && (
        <span>
          <span className="tone-warn">not known whether it runs</span>
          <span className="muted">
            : its lease is in the console’s own database, which is not configured or does not answer. Without the
            monitor {STOPS} stop; counts and health are read on demand.
          </span>
        </span>
      )}
    </p>
  );
}
