import { z } from "zod";
import { COLUMN_ROLES } from "#db/stores/port/mapping.ts";
import { MODES } from "#domain/operator.ts";
import { actionsSchema } from "./actions-schema.ts";
import { debeziumSchema } from "./debezium-schema.ts";
import { relaySchema } from "./relay-schema.ts";
import { retentionSchema } from "./retention-schema.ts";
import { thresholdsSchema } from "./thresholds-schema.ts";
import { name } from "./value-schemas.ts";

const timeZone = z.string().refine((zone) => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    // Intl throws RangeError for an unknown zone.
    return false;
  }
}, "is not a time zone such as UTC or Europe/Berlin");

const statusWords = z.array(
  z.string({
    error: ({ input }) =>
      input === null ? "cannot be null: only pending may have null, for rows without a status" : undefined,
  }),
);
const lifecycleSchema = z.strictObject({
  kind: z.enum(["timestamp", "status", "flag", "delete"]),
  /** Null: a row without a status is new. */
  pending: z.array(z.string().nullable()).optional(),
  inFlight: statusWords.optional(),
  failed: statusWords.optional(),
  published: statusWords.optional(),
  dead: statusWords.optional(),
  expired: statusWords.optional(),
});

const unknownSource = ({ code }: { code?: string }) =>
  code === "invalid_union" ? "must be polling, cdc or debezium" : undefined;

const writtenSchema = z.strictObject({
  store: name.default("default"),
  table: z.string().min(1),
  /** Slug of a library's table, or none: whose table it is. */
  shape: z.string().min(1).optional(),
  columns: z.partialRecord(z.enum(COLUMN_ROLES), z.string()).default({}),
  lifecycle: lifecycleSchema.optional(),
  /** Time zone of timestamps without one. */
  timeZone: timeZone.default("UTC"),
  deadAttempts: z.number().int().min(1).optional(),
  mode: z.enum(MODES).default("observe"),
  thresholds: thresholdsSchema.prefault({}),
  relay: z.discriminatedUnion("source", [relaySchema, debeziumSchema], { error: unknownSource }).optional(),
  /** Admins may send corrected copies of failed and dead messages. */
  corrections: z.boolean().default(false),
  /** Switches of single actions, besides those for every outbox. */
  actions: actionsSchema.default({}),
  /** Path of the JSON that `toJsonSchema()` of the client writes, from the folder of this file. */
  registry: z.string().min(1).optional(),
  retention: retentionSchema.prefault({}),
  storage: z
    .strictObject({
      /** Bytes that the table, its indexes and its TOAST may take. */
      limitBytes: z.number().int().min(1).optional(),
    })
    .prefault({}),
});

/** `relay` is ours; `debezium` is there if a connector publishes the outbox instead. Never both. */
export const outboxSchema = writtenSchema.transform(({ relay, ...outbox }) => ({
  ...outbox,
  ...(relay && relay.source !== "debezium" ? { relay } : {}),
  ...(relay?.source === "debezium" ? { debezium: relay } : {}),
}));

export type OutboxConfig = z.output<typeof outboxSchema>;

/** Configuration of a discovered table: observed only. */
export function discoveredOutboxConfig(store: string, table: string): OutboxConfig {
  return outboxSchema.parse({ store, table });
}
