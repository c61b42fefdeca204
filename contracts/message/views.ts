import { z } from "zod";
import { instantSchema, textSchema } from "../common.ts";

/** Parameters of the list that a view keeps; `last` is a range that ends when the view is opened. */
export const VIEW_PARAMETERS = [
  "state",
  "eventType",
  "aggregateType",
  "aggregateId",
  "error",
  "group",
  "errorCode",
  "attemptsMin",
  "from",
  "to",
  "last",
  "traceId",
  "q",
] as const;

const nameSchema = textSchema(80).trim().min(1);

/** A list of messages to come back to. */
export const newViewSchema = z.object({
  name: nameSchema,
  query: z.partialRecord(z.enum(VIEW_PARAMETERS), textSchema(300)),
  /** In any order; empty for the default ones. */
  columns: z.array(textSchema(40)).max(30),
});
export type NewView = z.infer<typeof newViewSchema>;

export const renameViewSchema = z.object({ name: nameSchema });
export const deleteViewSchema = z.object({});

const viewSchema = newViewSchema.extend({
  id: z.string(),
  createdBy: z.string(),
  createdAt: instantSchema,
});

export const viewListSchema = z.object({
  /** Shared views of one outbox, by name. */
  views: z.array(viewSchema),
  /** Sentence: why there are none and none can be kept; null if they can. */
  problem: z.string().nullable(),
});
export type ViewList = z.infer<typeof viewListSchema>;
