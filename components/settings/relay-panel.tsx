import { Panel } from "#components/ui/page/panel.tsx";
import { Facts } from "#components/ui/values/facts.tsx";
import type { OutboxDetail } from "#contracts/outbox/outboxes.ts";

/** How our relay publishes this outbox; nothing where another relay does. */
export function RelayPanel({ detail }: { detail: OutboxDetail }) {
  const { relay } = detail;
  if (relay === null) return null;
  return (
    <Panel title="Relay">
      <Facts
        facts={[
          ["Source", relay.source],
          ["Sink", relay.sink],
          ["Attempts", `${relay.maxAttempts}, then dead`],
          ["Retry", relay.retry],
          ["On failure", relay.onFailure],
          ["On dead", relay.onDead],
        ]}
      />
    </Panel>
  );
}
