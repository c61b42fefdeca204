import { z } from "zod";
import { whyNoRouteTemplate } from "#domain/relay/route-template.ts";

/** e.g. `orders.{eventType:lower}`; its names are looked up in each message. */
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
  /** Further columns of the row, by the names used in templates and headers. */
  fields: z.record(z.string().regex(/^[A-Za-z][\w-]*$/, "must be a word"), z.string().min(1)).default({}),
  /** CloudEvents: content mode, and the `source` attribute. */
  mode: z.enum(["binary", "structured", "batch"]).default("binary"),
  source: template.optional(),
});

export type RouteConfig = z.output<typeof routeSchema>;
