import type { OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import type { RelayStream } from "../../port/relay/relay-stream.ts";
import { datetimeOf } from "../connection/instant.ts";
import { literalOf } from "../connection/literal.ts";
import { claimOpening, readOpening } from "../relay/claim/claim-transaction.ts";
import { ownName, type RelayContext } from "../relay/relay-context.ts";

const COLUMNS =
  "outbox, message_id, aggregate_key, order_key, event_type, created_at, image, attempts, next_attempt_at";

/**
 * `RelayStream.park` of one outbox. Index: primary key of delivery. Race: an owner that has lost its term unknowingly.
 * The term is checked in the same transaction, behind the lock that a claim takes: otherwise messages already sent by
 * the next owner would be sent again, and the next owner would not see the parked ones as its term begins.
 */
export function createPark(context: RelayContext): RelayStream["park"] {
  return async ({ lease, messages }) => {
    if (messages.length === 0) return;
    await context.sessions.transaction(
      async (_session, opened, close) => {
        readOpening(opened);
        await close([
          `INSERT INTO ${ownName(context.own.delivery)} (${COLUMNS}) VALUES ${messages.map((message) => rowOf(context.outbox, message)).join(", ")}
           ON DUPLICATE KEY UPDATE outbox = VALUES(outbox)`,
        ]);
      },
      { opening: claimOpening(context, lease) },
    );
  };
}

function rowOf(outbox: string, message: OutgoingMessage): string {
  const { id, aggregateKey, order, eventType, createdAt } = message;
  const created = createdAt === null ? null : datetimeOf(createdAt);
  const facts = [outbox, id, aggregateKey, JSON.stringify(order), eventType, created, JSON.stringify(message)];
  return `(${facts.map(literalOf).join(", ")}, 0, UTC_TIMESTAMP(6))`;
}
