"use client";

import { formatCompact } from "#components/ui/format/format-figure.ts";
import { Panel } from "#components/ui/page/panel.tsx";
import { Age } from "#components/ui/values/age.tsx";
import type { RelayInstance } from "#contracts/outbox/relays.ts";
import { RelayStateBadge } from "./relay-state.tsx";
import css from "./relays.module.css";

/** Stopped or lost instances, one line each, because they cannot change any more. */
export function GoneRelays({ relays }: { relays: readonly RelayInstance[] }) {
  if (relays.length === 0) return null;
  return (
    <Panel title="No longer running" aside={String(relays.length)} flush>
      <ul className={css.gone}>
        {relays.map((relay) => (
          <li key={relay.id} data-testid="relay" data-state={relay.state}>
            <RelayStateBadge state={relay.state} />
            <b>{relay.outbox}</b>
            <span className={`mono ${css.host}`} title={relay.id}>
              {relay.host} · pid {relay.pid}
            </span>
            <span className="muted">
              last heartbeat <Age seconds={relay.heartbeatAgeSeconds} /> ago, published {formatCompact(relay.published)}
            </span>
            {relay.state === "lost" && relay.lastError !== null && (
              <span className={css.goneError}>last error: {relay.lastError}</span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
