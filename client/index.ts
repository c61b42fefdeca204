export { ClientError, type ClientErrorCode, isClientError } from "./errors.ts";
export {
  defineEvents,
  type EventRegistry,
  type PayloadIn,
  type PayloadOut,
  type TypesOf,
} from "./events/define-events.ts";
export type { EventCatalog, EventDescription } from "./events/event-catalog.ts";
export type { EventDefinition } from "./events/event-definition.ts";
export type { StandardSchema } from "./events/standard-schema.ts";
export {
  type Concurrent,
  createInbox,
  type Inbox,
  type InboxOptions,
  type InProgress,
  type OnceResult,
} from "./inbox/create-inbox.ts";
export type { ReceivedEvent } from "./inbox/read-event.ts";
export type { MessageOrder } from "./inbox/read-order.ts";
export { fromKafka, fromNats, fromRabbit, fromRedis } from "./messages/from-brokers.ts";
export { fromHttp, fromHttpBatch } from "./messages/from-http.ts";
export type { ReceivedMessage } from "./messages/received-message.ts";
export type { CancelResult } from "./outbox/cancel-message.ts";
export { createOutbox, type EventEntry, type Outbox, type OutboxOptions } from "./outbox/create-outbox.ts";
export type { Added } from "./outbox/insert-messages.ts";
export type { AddOptions } from "./outbox/new-message.ts";
export { otel } from "./outbox/trace.ts";
export type { Adapter, Dialect, SqlResult } from "./sql/adapter.ts";
export type { Statement } from "./sql/statement.ts";
