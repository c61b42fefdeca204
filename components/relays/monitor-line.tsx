import { Age } from "#components/ui/values/age.tsx";
import type { RelayList } from "#contracts/outbox/relays.ts";
import css from "./relays.module.css";

/** The background services: without them charts, findings and retention stop; counts and health do not. */
export function MonitorLine({ monitor }: { monitor: RelayList["monitor"] }) {
  return (
    <p className={css.monitor} data-testid="monitor">
      <b>Monitor</b>
      {monitor.alive ? (
        <span>
          alive, heartbeat <Age seconds={monitor.heartbeatAgeSeconds} /> ago
          {monitor.id !== null && <span className="mono muted"> {monitor.id}</span>}
        </span>
      ) : (
        <span>
          <span className="tone-warn">not running</span>
          <span className="muted">: charts and findings are not updated; counts and health are read on demand.</span>
        </span>
      )}
    </p>
  );
}
