import { z } from "zod";
import { whyNoRouteTemplate } from "#domain/route-template.ts";

/** `orders.{eventType:lower}`; what it names is looked up in each message. */
const template = z.string().superRefine((text, context) => {
  const problem = whyNoRouteTemplate(text);
  if (problem !== null) context.addIssue({ code: "custom", message: problem });
});

export const routeSchema = z.strictObject({
  preset: z.enum(["plain", "debezium", "cloudevents"]).default("plain"),
  /** Templates of roles, row headers and fields: "orders.{eventType:lower}". */
  topic: template.optional(),
  key: template.optional(),
  headers: z.record(z.string().min(1), template).default({}),
  /** More columns of the row, by the name that templates and headers use. */
  fields: z.record(z.string().regex(/^[A-Za-z][\w-]*$/, "must be a word"), z.string().min(1)).default({}),
  /** CloudEvents: how the event travels, and where it says that it comes from. */
  mode: z.enum(["binary", "structured", "batch"]).default("binary"),
  source: template.optional(),
});

export type RouteConfig = z.output<typeof routeSchema>;
