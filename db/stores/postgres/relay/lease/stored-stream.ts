import type { StreamState } from "#db/stores/port/relay/relay-heartbeat.ts";
import { lsnOf } from "../../replication/log-transaction.ts";
import { formatLsn } from "../../replication/lsn.ts";

/** A stream as outbox_console.relay_instance keeps it; see stream-sql.ts for what is read of it. */
export function storedStream({ name, lag, detail, confirmed, connected, since }: StreamState): Record<string, unknown> {
  return {
    slot: name,
    lagBytes: lag?.value ?? null,
    confirmedLsn: confirmed === null ? null : formatLsn(lsnOf(confirmed)),
    walStatus: detail,
    connected,
    since,
  };
}
