import type { LibraryTable } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "MassTransit";
const SOURCE =
  "c1e5caa9a; EntityFrameworkCoreIntegration, OutboxMessage, OutboxState, InboxState, BusOutboxDeliveryService.cs";
const DELIVERED =
  "MassTransit sends the messages of one OutboxState in order and deletes that state at its end: it would never send a row that is put back behind them. Send its body again from the application.";

/** Names are also in snake case. A row is deleted once it is sent. */
export const massTransit: LibraryTable = {
  slug: "masstransit",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxmessages?$/,
  required: [
    "SequenceNumber",
    "EnqueueTime",
    "SentTime",
    "OutboxId",
    "MessageId",
    "ContentType",
    "MessageType",
    "Body",
  ],
  optional: [
    "Headers",
    "Properties",
    "InboxMessageId",
    "InboxConsumerId",
    "ConversationId",
    "CorrelationId",
    "InitiatorId",
    "RequestId",
    "SourceAddress",
    "DestinationAddress",
    "ResponseAddress",
    "FaultAddress",
    "ExpirationTime",
  ],
  kind: {
    role: "outbox",
    columns: {
      id: "SequenceNumber",
      payload: "Body",
      eventType: "MessageType",
      headers: "Headers",
      topic: "DestinationAddress",
      aggregateId: "OutboxId",
      createdAt: "SentTime",
      availableAt: "EnqueueTime",
      expiresAt: "ExpirationTime",
      order: "SequenceNumber",
    },
    lifecycle: {
      kind: "rules",
      states: { waiting: { always: true } },
      verbs: {
        ...plainVerbs(LIBRARY),
        "dead-letter": {
          moveOut: true,
          does: "Moved to the dead letters; MassTransit goes on with the next message of the same outbox. It cannot be put back.",
        },
        restore: { refuse: DELIVERED },
      },
    },
    traps: [
      "The first message of an OutboxState is tried for ever and holds up the others of the same transaction.",
      "The body is MassTransit's envelope, and a row is deleted once it is sent.",
    ],
  },
};

export const massTransitOutboxState: LibraryTable = {
  slug: "masstransit-outbox-state",
  library: LIBRARY,
  source: SOURCE,
  name: /outboxstates?$/,
  required: ["OutboxId", "LockId", "Created", "Delivered", "LastSequenceNumber"],
  optional: ["RowVersion"],
  forbidden: ["ConsumerId"],
  kind: { role: "helper", reason: "one row per transaction with the number that was sent last" },
};

export const massTransitInboxState: LibraryTable = {
  slug: "masstransit-inbox-state",
  library: LIBRARY,
  source: SOURCE,
  name: /inboxstates?$/,
  required: ["MessageId", "ConsumerId", "LockId", "Received", "ReceiveCount", "Consumed", "Delivered"],
  optional: ["Id", "RowVersion", "ExpirationTime", "LastSequenceNumber"],
  kind: {
    role: "inbox",
    columns: {
      messageId: "MessageId",
      consumer: "ConsumerId",
      receivedAt: "Received",
      processedAt: "Consumed",
    },
    processed: {
      all: [
        { column: "Consumed", is: "set" },
        { column: "Delivered", is: "set" },
      ],
    },
    failed: {
      all: [
        { column: "Consumed", is: "null" },
        { column: "ReceiveCount", atLeast: 2 },
      ],
    },
    traps: ["If Consumed is set and Delivered is not, the handler is done and its own messages are still to be sent."],
  },
};
