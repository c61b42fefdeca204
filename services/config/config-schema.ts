import { z } from "zod";
import { actionsSchema } from "./actions-schema.ts";
import { alertsSchema } from "./alerts-schema.ts";
import { authSchema } from "./auth-schema.ts";
import { checkReferences } from "./check-references.ts";
import { inboxSchema } from "./inbox-schema.ts";
import { maskingSchema } from "./masking-schema.ts";
import { outboxSchema } from "./outbox-schema.ts";
import { sinkSchema } from "./sinks/sink-schema.ts";
import { storeSchema } from "./store-schema.ts";
import { tracingSchema } from "./tracing-schema.ts";
import { duration, name, postgresUrl } from "./value-schemas.ts";

/** Entries by name, without a prototype, so that `constructor` and the like count as not configured. */
function entries<Entry extends z.ZodType>(entry: Entry) {
  return z
    .record(name, entry)
    .default({})
    .transform((given): typeof given => Object.assign(Object.create(null), given));
}

export const configSchema = z
  .strictObject({
    environment: z.string().max(30).nullable().default(null),
    console: z
      .strictObject({
        databaseUrl: postgresUrl.optional(),
        /** Host names besides loopback and HOST under which the console is reached. */
        allowedHosts: z.array(z.string()).default([]),
        /**
         * Further proxies (besides this machine) whose X-Forwarded-For is trusted: addresses, or networks such as
         * 10.0.0.0/8.
         */
        trustedProxies: z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).default([]),
        /** Ms for which the items of an operation stay after its end; the operation with its counts stays. */
        keepItems: duration("90d").refine((ms) => ms >= 86_400_000, "must be at least 1d"),
        /** Admins may save a mapping into this file from the console. */
        saveMappings: z.boolean().default(true),
        /** Everybody may only look. */
        readOnly: z.boolean().default(false),
      })
      .prefault({}),
    /** Switches of single actions, for every outbox. */
    actions: actionsSchema.default({}),
    /** Create and update our schemas at start. */
    autoMigrate: z.boolean().default(false),
    stores: entries(storeSchema),
    /** Outboxes by name; tables found in a store but not named here are observed under their own names. */
    outboxes: entries(outboxSchema),
    inboxes: entries(inboxSchema),
    /** Tables to leave alone, even if they look like outboxes or inboxes. */
    ignoredTables: z.array(z.strictObject({ store: name.default("default"), table: z.string().min(1) })).default([]),
    /** Look for outbox and inbox tables that are not named. */
    discover: z.boolean().default(true),
    sinks: entries(sinkSchema),
    /** What of payloads, headers and errors is shown only when it is revealed. */
    masking: maskingSchema.prefault({}),
    /** Traces of the worker, besides what OTEL_* say. */
    tracing: tracingSchema.prefault({}),
    alerts: alertsSchema.prefault({}),
    auth: authSchema.default({ mode: "none" }),
  })
  .superRefine((config, context) => {
    for (const { path, message } of checkReferences(config)) context.addIssue({ code: "custom", path, message });
  });

export type Config = z.output<typeof configSchema>;
