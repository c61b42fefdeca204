"use client";

import { formatCompact } from "#components/ui/format/format-figure.ts";
import { Panel } from "#components/ui/page/panel.tsx";
import { Age } from "#components/ui/values/age.tsx";
import type { RelayInstance } from "#contracts/outbox/relays.ts";
import { formatShare } from "./format-partitions.ts";
import { RelayStateBadge } from "./relay-state.tsx";
import { stateMeaning } from "./relay-words.ts";
import css from "./relays.module.css";

/** Instances that do not report, one line each. A lost one may still run: only its heartbeat is missing. */
export function GoneRelays({ relays }: { relays: readonly RelayInstance[] }) {
  if (relays.length === 0) return null;
  return (
    <Panel title="Stopped or lost" aside={String(relays.length)} flush>
      <ul className={css.gone}>
        {relays.map((relay) => (
          <li key={relay.id} data-testid="relay" data-state={relay.state}>
            <RelayStateBadge state={relay.state} />
            <b>{relay.outbox}</b>
            <span className={`mono ${css.host}`} title={relay.id}>
              {relay.host} · pid {relay.pid}
            </span>
            <span className="muted">
              {relay.state === "stopped" ? "stopped" : "last heartbeat"} <Age seconds={relay.heartbeatAgeSeconds} />{" "}
              ago, published {formatCompact(relay.published)}
            </span>
            {relay.state === "lost" && <span className={css.goneNote}>{lostWords(relay)}</span>}
            {relay.state === "lost" && relay.lastError !== null && (
              <span className={css.goneNote}>last error: {relay.lastError}</span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function lostWords(relay: RelayInstance): string {
  const meaning = stateMeaning(relay);
  if (relay.partitions === 0) return meaning;
  return `${meaning} Its lease on ${formatShare(relay.partitions)} has not expired: until it does, no other relay publishes them.`;
}
