import { z } from "zod";
import { duration, name } from "./value-schemas.ts";

const webhookSchema = z
  .strictObject({
    url: z.url({ protocol: /^https?$/ }),
    /** What the receiver reads: our own JSON, a Slack message, or an event of PagerDuty's Events API v2. */
    format: z.enum(["json", "slack", "pagerduty"]).default("json"),
    /** Outboxes it is about; all when left out. */
    outboxes: z.array(name).min(1).optional(),
    /** The status of health from which it alerts. */
    from: z.enum(["warn", "fail"]).default("fail"),
    /** How long the status must have lasted. */
    after: duration("30s"),
    /** How long the status must have been below `from` before it is resolved. */
    resolveAfter: duration("60s"),
    /** PagerDuty's integration key. */
    routingKey: z.string().min(1).optional(),
    /** Sent with each request, e.g. for authorization. */
    headers: z.record(z.string(), z.string()).default({}),
  })
  .refine(({ format, routingKey }) => format !== "pagerduty" || routingKey !== undefined, {
    path: ["routingKey"],
    error: "pagerduty needs the integration's routingKey",
  });

export const alertsSchema = z.strictObject({
  /** Where people reach the console; alerts link to it. */
  linkTo: z.url({ protocol: /^https?$/ }).optional(),
  webhooks: z
    .record(name, webhookSchema)
    .default({})
    .transform((given): typeof given => Object.assign(Object.create(null), given)),
});

export type AlertWebhook = z.output<typeof webhookSchema>;
