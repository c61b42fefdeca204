import type { OrderKey, OutgoingMessage } from "../../port/relay/outgoing-message.ts";
import type { RelayStream } from "../../port/relay/relay-stream.ts";
import { parkable } from "../../shared/relay/parkable.ts";
import { datetimeOf } from "../connection/instant.ts";
import { literalOf } from "../connection/literal.ts";
import { claimOpening, readOpening } from "../relay/claim/claim-transaction.ts";
import { textList } from "../relay/literals.ts";
import { ownName, type RelayContext } from "../relay/relay-context.ts";
import { quoteLiteral } from "../tables/mapping-sql.ts";

const COLUMNS =
  "outbox, message_id, aggregate_key, order_key, event_type, created_at, image, attempts, next_attempt_at";

/**
 * `RelayStream.park` of one outbox. Index: primary key of delivery. Race: an owner that has lost its term unknowingly.
 * The term is checked in the same transaction, behind the lock that a claim takes: otherwise messages already sent by
 * the next owner would be sent again, and the next owner would not see the parked ones as its term begins.
 */
export function createPark(context: RelayContext): RelayStream["park"] {
  return async ({ lease, messages }) => {
    if (messages.length === 0) return [];
    const delivery = ownName(context.own.delivery);
    const ids = messages.map(({ id }) => id);
    return context.sessions.transaction(
      async (_session, opened, close) => {
        readOpening(opened);
        const rows = opened.at(-1)?.rows ?? [];
        const known = new Map(rows.map(([id, order]) => [id ?? "", JSON.parse(order ?? "[]") as OrderKey]));
        const fitting = parkable(messages, known);
        const fresh = fitting.filter(({ id }) => !known.has(id)).map((message) => rowOf(context.outbox, message));
        await close(fresh.length > 0 ? [`INSERT INTO ${delivery} (${COLUMNS}) VALUES ${fresh.join(", ")}`] : []);
        return fitting.map(({ id }) => id);
      },
      {
        opening: [
          ...claimOpening(context, lease),
          `SELECT message_id, order_key FROM ${delivery} WHERE outbox = ${quoteLiteral(context.outbox)} AND message_id IN ${textList(ids)} FOR UPDATE`,
        ],
      },
    );
  };
}

function rowOf(outbox: string, message: OutgoingMessage): string {
  const { id, aggregateKey, order, eventType, createdAt } = message;
  const created = createdAt === null ? null : datetimeOf(createdAt);
  const facts = [outbox, id, aggregateKey, JSON.stringify(order), eventType, created, JSON.stringify(message)];
  return `(${facts.map(literalOf).join(", ")}, 0, UTC_TIMESTAMP(6))`;
}
