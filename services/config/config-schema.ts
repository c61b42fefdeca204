import { z } from "zod";
import { authSchema } from "./auth-schema.ts";
import { inboxSchema } from "./inbox-schema.ts";
import { outboxSchema } from "./outbox-schema.ts";
import { sinkSchema } from "./sinks/sink-schema.ts";
import { storeSchema } from "./store-schema.ts";
import { name, postgresUrl } from "./value-schemas.ts";

export const configSchema = z
  .strictObject({
    environment: z.string().max(30).nullable().default(null),
    console: z
      .strictObject({
        databaseUrl: postgresUrl.optional(),
        /** Host names besides loopback and HOST under which the console is reached. */
        allowedHosts: z.array(z.string()).default([]),
      })
      .prefault({}),
    /** Create and update our schemas at start. */
    autoMigrate: z.boolean().default(false),
    stores: z.record(name, storeSchema).default({}),
    /** Outboxes by name; tables found in a store but not named here are observed under their own names. */
    outboxes: z.record(name, outboxSchema).default({}),
    inboxes: z.record(name, inboxSchema).default({}),
    /** Look for outbox and inbox tables that are not named. */
    discover: z.boolean().default(true),
    sinks: z.record(name, sinkSchema).default({}),
    auth: authSchema.default({ mode: "none" }),
  })
  .superRefine((config, context) => {
    const fail = (path: (string | number)[], message: string) => context.addIssue({ code: "custom", path, message });
    for (const [outboxName, outbox] of Object.entries(config.outboxes)) {
      const path = ["outboxes", outboxName];
      if (!config.stores[outbox.store]) fail([...path, "store"], `there is no store named "${outbox.store}"`);
      if (outbox.mode === "relay" && !outbox.relay) fail([...path, "relay"], "mode relay needs a relay section");
      if (outbox.mode !== "relay" && outbox.relay) fail([...path, "mode"], "a relay section needs mode: relay");
      if (outbox.relay && !config.sinks[outbox.relay.sink])
        fail([...path, "relay", "sink"], `there is no sink named "${outbox.relay.sink}"`);
      const route = outbox.relay?.route;
      if (route && route.preset !== "cloudevents") {
        const only = "is for preset cloudevents only";
        if (route.mode !== "binary") fail([...path, "relay", "route", "mode"], only);
        if (route.source !== undefined) fail([...path, "relay", "route", "source"], only);
      } else if (route?.mode === "batch" && config.sinks[outbox.relay?.sink ?? ""]?.kind !== "http") {
        fail([...path, "relay", "route", "mode"], "batch is for sinks of the kind http only");
      }
    }
    for (const [inboxName, inbox] of Object.entries(config.inboxes)) {
      if (!config.stores[inbox.store])
        fail(["inboxes", inboxName, "store"], `there is no store named "${inbox.store}"`);
    }
  });

export type Config = z.output<typeof configSchema>;
