import { z } from "zod";
import { correctionRequestSchema, correctionSchema } from "../message/corrections.ts";
import { messageExportQuerySchema } from "../message/export.ts";
import { groupActSchema, groupMemorySchema } from "../message/groups.ts";
import {
  failureGroupListSchema,
  failureGroupQuerySchema,
  messageDetailSchema,
  messageListSchema,
  messageQuerySchema,
  whySchema,
} from "../message/messages.ts";
import { decodedMessageSchema, rawPayloadQuerySchema } from "../message/payloads.ts";
import { revealedSchema, revealRequestSchema } from "../message/reveal.ts";
import { deleteViewSchema, newViewSchema, renameViewSchema, viewListSchema } from "../message/views.ts";
import { blockedListSchema, blockedQuerySchema } from "../outbox/blocked.ts";
import { type Endpoint, OUTBOX } from "./endpoint.ts";

/** Messages of an outbox, and saved lists of them. */
export const MESSAGES: readonly Endpoint[] = [
  {
    method: "get",
    path: `${OUTBOX}/messages`,
    summary: "One page of messages",
    query: messageQuerySchema,
    answer: messageListSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/messages/export`,
    summary:
      "The messages of a filter as a file, csv or ndjson; NDJSON ends with a line that says whether it is complete",
    query: messageExportQuerySchema,
    answer: z.string(),
    type: "text/csv",
  },
  {
    method: "get",
    path: `${OUTBOX}/messages/{id}`,
    summary: "Everything known about one message",
    answer: messageDetailSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/messages/{id}/decoded`,
    summary: "Payload and headers, decoded: layers, envelopes and the content",
    answer: decodedMessageSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/messages/{id}/raw`,
    summary: "The stored bytes of the payload or the headers, as a file",
    query: rawPayloadQuerySchema,
    answer: z.string(),
    type: "application/octet-stream",
  },
  {
    method: "post",
    path: `${OUTBOX}/messages/{id}/reveal`,
    summary:
      "One message with nothing masked; for whom the configuration allows it, with a reason that the audit keeps",
    body: revealRequestSchema,
    answer: revealedSchema,
  },
  { method: "get", path: `${OUTBOX}/messages/{id}/why`, summary: "Why it is not moving", answer: whySchema },
  {
    method: "get",
    path: `${OUTBOX}/views`,
    summary: "Lists of messages that somebody saved for everybody",
    answer: viewListSchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/views`,
    summary: "Saves a list for everybody; operator",
    body: newViewSchema,
    answer: viewListSchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/views/{id}/rename`,
    summary: "Renames a saved list; operator",
    body: renameViewSchema,
    answer: viewListSchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/views/{id}/delete`,
    summary: "Deletes a saved list; operator",
    body: deleteViewSchema,
    answer: viewListSchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/messages/{id}/corrections`,
    summary: "Send a corrected copy of a failed or dead message in its place; admin, if the outbox allows it",
    body: correctionRequestSchema,
    answer: correctionSchema,
    headers: [{ name: "Idempotency-Key", description: "The same key with the same body returns the first answer" }],
  },
  {
    method: "get",
    path: `${OUTBOX}/blocked`,
    summary: "One page of aggregates whose later messages wait, longest blocked first",
    query: blockedQuerySchema,
    answer: blockedListSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/failure-groups`,
    summary: "Failed and dead messages by error text, error code or type",
    query: failureGroupQuerySchema,
    answer: failureGroupListSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/failure-groups/{group}`,
    summary: "Notes and decisions about a failure group, by its fingerprint; `none` for failures without an error",
    answer: groupMemorySchema,
  },
  {
    method: "post",
    path: `${OUTBOX}/failure-groups/{group}`,
    summary: "Notes something, claims, releases, resolves, reopens, ignores up to a rate, or ends that; operator",
    body: groupActSchema,
    answer: groupMemorySchema,
  },
];
