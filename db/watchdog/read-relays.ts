import type { PoolClient } from "pg";
import type { OutboxRef } from "../outbox/outbox-ref.ts";
import { instantText } from "../outbox/postgres/mapping-sql.ts";
import { countPartialPauses } from "../relays/pauses.ts";
import { RELAY_SIGNS_SQL } from "../relays/relay-signs-sql.ts";
import { RETIRED } from "../relays/retire-relays.ts";
import { STREAM_SQL } from "../relays/stream-sql.ts";
import type { RelayFacts, RelayReading } from "./facts.ts";

const INSTANCES_SQL = `
SELECT id, host, pid, state, ${instantText("heartbeat_at")} AS "heartbeatAt", ${instantText("last_published_at")} AS "lastPublishedAt",
  left(last_error, 300) AS "lastError", coalesce(sink ->> 'name', '') AS "sinkName", coalesce(sink ->> 'address', '') AS "sinkAddress", breaker, ${RELAY_SIGNS_SQL},
  ${STREAM_SQL} AS stream
FROM outbox_console.relay_instance WHERE outbox = $1 AND id <> '${RETIRED}' ORDER BY heartbeat_at DESC LIMIT 50`;

const PAUSE_SQL = `
SELECT reason, by, ${instantText("until")} AS until FROM outbox_console.pause
WHERE outbox = $1 AND scope = 'outbox' AND (until IS NULL OR until > clock_timestamp())`;

/** The relays of an outbox as they last said, and whether it is paused. Null without the store side. */
export async function readRelays(client: PoolClient, ref: OutboxRef): Promise<RelayFacts | null> {
  if (!ref.storeSide) return null;
  const instances = await client.query<RelayReading>(INSTANCES_SQL, [ref.name]);
  const pause = await client.query<NonNullable<RelayFacts["pause"]>>(PAUSE_SQL, [ref.name]);
  const partial = await countPartialPauses(client, ref.name);
  return { instances: instances.rows, pause: pause.rows[0] ?? null, partial };
}
