import {
  bulkCommandSchema,
  itemQuerySchema,
  operationItemListSchema,
  operationListSchema,
  operationPreviewSchema,
  operationQuerySchema,
  operationRequestSchema,
  operationSchema,
  previewRequestSchema,
} from "../message/operations.ts";
import { type Endpoint, OUTBOX } from "./endpoint.ts";

const OPERATION = "/api/v1/operations/{id}";
const BULK_COMMANDS_SAID = [
  ["pause", "Pause an operation in the background"],
  ["resume", "Go on with one that is paused or halted"],
  ["cancel", "Cancel what is left of it; what was done stays done"],
] as const;

/** Operations: what is done to messages. */
export const OPERATIONS: readonly Endpoint[] = [
  {
    method: "post",
    path: `${OUTBOX}/operations`,
    summary:
      "One action on up to 100 messages at once, with an outcome for each; on more, or on all that match a filter, as an operation in the background (202)",
    body: operationRequestSchema,
    answer: operationSchema,
    alsoAnswers: [{ status: 202, description: "It runs in the background" }],
    headers: [
      { name: "Idempotency-Key", description: "Repeating a request with the same key returns the first answer." },
    ],
  },
  {
    method: "post",
    path: `${OUTBOX}/operations/preview`,
    summary: "What an operation would do, by type, and what it would refuse; changes nothing",
    body: previewRequestSchema,
    answer: operationPreviewSchema,
  },
  {
    method: "get",
    path: "/api/v1/operations",
    summary: "Operations, newest first",
    query: operationQuerySchema,
    answer: operationListSchema,
  },
  {
    method: "get",
    path: OPERATION,
    summary: "An operation with its outcomes, or with its items counted by outcome",
    answer: operationSchema,
  },
  {
    method: "get",
    path: `${OPERATION}/items`,
    summary: "Items of an operation in the background, in the order of the work",
    query: itemQuerySchema,
    answer: operationItemListSchema,
  },
  ...BULK_COMMANDS_SAID.map(([command, summary]) => ({
    method: "post" as const,
    path: `${OPERATION}/${command}`,
    summary,
    body: bulkCommandSchema,
    answer: operationSchema,
  })),
];
