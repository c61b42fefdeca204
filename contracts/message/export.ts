import { z } from "zod";
import { textSchema } from "../common.ts";
import { inboxMessageSchema, inboxQuerySchema } from "../outbox/inboxes.ts";
import { messageQuerySchema, messageSummarySchema } from "./messages.ts";

export const EXPORT_FORMATS = ["csv", "ndjson"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const { version: _, ...exported } = messageSummarySchema.shape;
/** Columns of exported messages, named as in the list. */
const messageColumnSchema = z.enum(Object.keys(exported) as (keyof typeof exported)[]);
export type MessageColumn = z.infer<typeof messageColumnSchema>;
const inboxColumnSchema = inboxMessageSchema.keyof();

/** Names separated by commas, in the order of the columns; all of them by default. */
const columnsSchema = <Name extends string>(name: z.ZodType<Name, Name>, all: readonly Name[]) =>
  textSchema(1000)
    .default(all.join(","))
    .transform((text) => [...new Set(text.split(","))] as Name[])
    .pipe(z.array(name).min(1));

const formatSchema = z.enum(EXPORT_FORMATS).default("csv");

/** The filter of the list, and how its messages are written. */
export const messageExportQuerySchema = messageQuerySchema.omit({ cursor: true, limit: true, count: true }).extend({
  format: formatSchema,
  columns: columnsSchema(messageColumnSchema, messageColumnSchema.options),
  /** 1 adds payload and headers, with what each is. */
  payload: z.enum(["0", "1"]).default("0"),
});
export type MessageExportQuery = z.infer<typeof messageExportQuerySchema>;

export const inboxExportQuerySchema = inboxQuerySchema.omit({ cursor: true, limit: true }).extend({
  format: formatSchema,
  columns: columnsSchema(inboxColumnSchema, inboxColumnSchema.options),
});
export type InboxExportQuery = z.infer<typeof inboxExportQuerySchema>;
