import { ClientError } from "../errors.ts";
import type { EventRegistry, PayloadIn, TypesOf } from "../events/define-events.ts";
import { outboxLayout } from "../outbox/layout.ts";
import { type AddOptions, newMessage } from "../outbox/new-message.ts";
import type { TraceCapture } from "../outbox/trace.ts";
import { requireOneOf, requireOptions, requireRegistry } from "../require-options.ts";

export interface DynamodbOutboxOptions {
  /** DynamoDB's table. */
  table: string;
  /** Begins the partition key of every event; `OUTBOX#` by default. */
  keyPrefix?: string;
  /** Names of the key's attributes; PK and SK by default. */
  keys?: { partition: string; sort: string };
  /** `document`: plain values, for lib-dynamodb (the default). `client`: with types, for client-dynamodb. */
  format?: "document" | "client";
  /** Most bytes of an event with its headers; 256,000 by default. An item has at most 400 KB, a transaction 4 MB. */
  maxBytes?: number;
  trace?: TraceCapture;
}

/** An element of `TransactItems`. */
export interface TransactPut {
  Put: {
    TableName: string;
    Item: Record<string, never>;
    ConditionExpression: string;
    ExpressionAttributeNames: Record<string, string>;
  };
}

export interface DynamodbOutbox<R extends EventRegistry> {
  readonly events: R;
  /**
   * The items of one event, for the caller's own TransactWriteItems: `[...orders, ...(await outbox.items(…))]`. Its id
   * is new, or `options.id`: a transaction with an id that its aggregate has already is cancelled whole. Throws
   * ClientError, as `add` does.
   */
  items<T extends TypesOf<R>>(
    type: T,
    payload: PayloadIn<R, T>,
    options?: Pick<AddOptions, "id" | "key" | "sequence" | "headers">,
  ): Promise<TransactPut[]>;
}

const OPTIONS = ["table", "keyPrefix", "keys", "format", "maxBytes", "trace"] satisfies (keyof DynamodbOutboxOptions)[];

/**
 * Events as items of a family: the partition is an aggregate, the sort key the event's id, which rises with time.
 * `unpublished` is the key of the sparse index by which the relay finds waiting events; the relay removes it.
 */
export function createDynamodbOutbox<R extends EventRegistry>(
  events: R,
  options: DynamodbOutboxOptions,
): DynamodbOutbox<R> {
  requireRegistry("createDynamodbOutbox", events);
  requireOptions("createDynamodbOutbox", options ?? {}, OPTIONS);
  requireOneOf("The option format of createDynamodbOutbox", options?.format, ["document", "client"]);
  if (typeof options?.table !== "string")
    throw new ClientError(
      "invalid_input",
      "createDynamodbOutbox needs the option table, the name of DynamoDB's table.",
    );
  requirePlainAggregates(events);
  const { table, keyPrefix = "OUTBOX#", keys = { partition: "PK", sort: "SK" }, format = "document" } = options;
  // An item's attributes; an option without its attribute is refused.
  const columns = { id: "id", eventType: "event_type", payload: "payload", headers: "headers" };
  const layout = outboxLayout({ table, columns });
  const rules = { events, layout, maxBytes: options.maxBytes ?? 256_000, trace: options.trace ?? null };
  return {
    events,
    items: async (type, payload, given) => {
      const message = await newMessage(rules, type, payload, given);
      if (message.id === null || message.aggregateId === null)
        throw new ClientError(
          "invalid_input",
          `${type} needs a key in the registry or in the options: it is the partition.`,
        );
      const attributes = {
        [keys.partition]: `${keyPrefix}${message.aggregateType}#${message.aggregateId}`,
        [keys.sort]: message.id,
        event_type: message.type,
        aggregate_type: message.aggregateType,
        aggregate_id: message.aggregateId,
        payload: message.payload,
        headers: message.headers ?? "{}",
        created_at: new Date().toISOString(),
        published: false,
        unpublished: "yes",
      };
      const Item = (format === "client" ? typed(attributes) : attributes) as Record<string, never>;
      const ExpressionAttributeNames = { "#partition": keys.partition };
      const ConditionExpression = "attribute_not_exists(#partition)";
      return [{ Put: { TableName: table, Item, ConditionExpression, ExpressionAttributeNames } }];
    },
  };
}

/** The type `a#b` with the id `c` would share its partition, and so its order, with the type `a` and the id `b#c`. */
function requirePlainAggregates({ definitions }: EventRegistry): void {
  const wrong = Object.entries(definitions).find(([, { aggregate }]) => aggregate.includes("#"));
  if (!wrong) return;
  const [type, { aggregate }] = wrong;
  throw new ClientError(
    "invalid_input",
    `The aggregate ${JSON.stringify(aggregate)} of ${type} holds "#", which divides the type from the id in the partition key: name it without.`,
  );
}

function typed(attributes: Record<string, string | boolean>): Record<string, { S: string } | { BOOL: boolean }> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      typeof value === "string" ? { S: value } : { BOOL: value },
    ]),
  );
}
