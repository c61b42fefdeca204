import type { StreamState } from "#db/stores/port/relay/relay-heartbeat.ts";
import { lsnOf } from "../../replication/log-transaction.ts";
import { formatLsn } from "../../replication/lsn.ts";

/** A stream as stored in outbox_console.relay_instance; stream-sql.ts reads it. */
export function storedStream({
  name,
  lag,
  detail,
  confirmed,
  connected,
  since,
  problem,
}: StreamState): Record<string, unknown> {
  return {
    slot: name,
    lagBytes: lag?.value ?? null,
    confirmedLsn: confirmed === null ? null : formatLsn(lsnOf(confirmed)),
    walStatus: detail,
    connected,
    since,
    problem,
  };
}
