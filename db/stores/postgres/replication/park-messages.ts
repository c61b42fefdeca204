import { LeaseLostError } from "../../port/relay/lease.ts";
import type { OrderKey } from "../../port/relay/outgoing-message.ts";
import type { RelayStream } from "../../port/relay/relay-stream.ts";
import { parkable } from "../../shared/relay/parkable.ts";
import { textArray } from "../connection/text-array.ts";
import { leaseHolds } from "../relay/lease/term-sql.ts";
import type { RelayContext } from "../relay/relay-context.ts";
import { outboxLockSql } from "../tables/outbox-lock.ts";

/**
 * Index: primary key of delivery. Race: an owner that has lost its term unknowingly. The term is checked in the same
 * transaction; otherwise messages already sent by the next owner would be sent again. The lock is taken first, as by a
 * claim, so that the next owner, which lists retries as its term begins, sees the parked messages.
 */
const PARK = `
INSERT INTO outbox_console.delivery (outbox, message_id, aggregate_key, order_key, event_type, created_at, attempts, next_attempt_at, image)
SELECT $1, p.id, p."aggregateKey", p."order", p."eventType", p."createdAt", 0, clock_timestamp(), p.image
FROM json_array_elements($2::json) AS m(image), json_to_record(m.image) AS r(id text, "aggregateKey" text, "order" text[], "eventType" text, "createdAt" timestamptz),
  LATERAL (SELECT r.*, m.image) AS p
ON CONFLICT (outbox, message_id) DO NOTHING`;
const KNOWN =
  "SELECT message_id, array_to_json(order_key)::text FROM outbox_console.delivery WHERE outbox = $1 AND message_id = ANY ($2::text[])";

/** `RelayStream.park` of one outbox. */
export function createPark(context: RelayContext): RelayStream["park"] {
  const lock = { name: "outbox_console_park", text: outboxLockSql(context.outbox, "shared"), values: [] };
  return ({ lease, messages }) =>
    context.sessions.transaction({
      opening: [lock, leaseHolds(context, lease)],
      work: async (session, [, holds]) => {
        if (holds?.[0]?.[0] !== "true") throw new LeaseLostError("The lease of this relay is over.");
        const ids = messages.map(({ id }) => id);
        const { rows } = await session.query("park-known", KNOWN, [context.outbox, textArray(ids)]);
        const known = new Map(rows.map(([id, order]) => [id ?? "", JSON.parse(order ?? "[]") as OrderKey]));
        const fitting = parkable(messages, known);
        if (fitting.length > 0) await session.query("park", PARK, [context.outbox, JSON.stringify(fitting)]);
        return fitting.map(({ id }) => id);
      },
    });
}
