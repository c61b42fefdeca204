import type { LibraryTable } from "../library-table-type.ts";
import { plainVerbs } from "../plain-verbs.ts";

const LIBRARY = "ABP Framework";
const SOURCE =
  "0adf6a54; OutgoingEventRecord.cs, IncomingEventRecord.cs@03d2b4a5, EventInboxDbContextModelBuilderExtensions.cs@60ae1f2b";
const INBOX = ["Id", "ExtraProperties", "MessageId", "EventName", "EventData", "CreationTime"];

/** A row is deleted once it is sent. */
export const abpOutbox: LibraryTable = {
  slug: "abp",
  library: LIBRARY,
  source: SOURCE,
  name: /eventoutbox$/,
  required: ["Id", "ExtraProperties", "EventName", "EventData", "CreationTime"],
  forbidden: ["MessageId"],
  kind: {
    role: "outbox",
    columns: {
      id: "Id",
      payload: "EventData",
      eventType: "EventName",
      headers: "ExtraProperties",
      createdAt: "CreationTime",
    },
    lifecycle: { kind: "rules", states: { waiting: { always: true } }, verbs: plainVerbs(LIBRARY) },
    traps: ["Rows are sent in the order of CreationTime: one that fails holds up all later ones."],
  },
};

/** Statuses: 0 pending, 1 discarded after too many retries, 2 processed. */
export const abpInbox: LibraryTable = {
  slug: "abp-inbox",
  library: LIBRARY,
  source: SOURCE,
  name: /eventinbox$/,
  required: [...INBOX, "Status", "HandledTime", "RetryCount", "NextRetryTime"],
  kind: {
    role: "inbox",
    columns: {
      messageId: "MessageId",
      eventType: "EventName",
      receivedAt: "CreationTime",
      processedAt: "HandledTime",
    },
    processed: { column: "Status", in: [2] },
    failed: {
      any: [
        { column: "Status", in: [1] },
        {
          all: [
            { column: "Status", in: [0] },
            { column: "RetryCount", atLeast: 1 },
          ],
        },
      ],
    },
    traps: ["A failing event holds up the later ones, unless the inbox's failure policy says otherwise."],
  },
};

export const abpInbox8: LibraryTable = {
  slug: "abp-inbox-8",
  library: `${LIBRARY}, before its inbox had a status`,
  source: SOURCE,
  name: /eventinbox$/,
  required: [...INBOX, "Processed", "ProcessedTime"],
  forbidden: ["Status"],
  kind: {
    role: "inbox",
    columns: {
      messageId: "MessageId",
      eventType: "EventName",
      receivedAt: "CreationTime",
      processedAt: "ProcessedTime",
    },
    processed: { column: "Processed", is: "true" },
  },
};
