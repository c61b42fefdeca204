import { z } from "zod";
import { routeSchema } from "./route-schema.ts";
import { duration, name, slotName } from "./value-schemas.ts";

const cdcSchema = z.strictObject({
  /** Default: outbox_console_<outbox>. */
  slot: slotName.optional(),
  publication: slotName.optional(),
  mark: z.enum(["column", "delete", "none"]).default("column"),
});

export const relaySchema = z.strictObject({
  source: z.enum(["polling", "cdc"]).default("polling"),
  cdc: cdcSchema.prefault({}),
  /** A channel whose NOTIFY wakes an idle relay. */
  notify: z.string().min(1).max(63).optional(),
  sink: name,
  route: routeSchema.prefault({}),
  ordering: z.enum(["aggregate", "none"]).default("aggregate"),
  onFailure: z.enum(["block", "pass"]).default("block"),
  onDead: z.enum(["pass", "hold"]).default("pass"),
  maxAttempts: z.number().int().min(1).max(1000).default(10),
  retry: z
    .strictObject({ initial: duration("1s"), max: duration("10m") })
    .refine(({ initial, max }) => initial <= max, "initial must not be longer than max")
    .prefault({}),
  batchSize: z.number().int().min(1).max(10_000).default(1000),
  /** Messages in flight at the sink, over all aggregates. */
  concurrency: z.number().int().min(1).max(1024).default(64),
  /** With a shorter lease, a process pause or a slow answer would lose it. */
  lease: duration("6s").refine((ms) => ms >= 1000, "must be at least 1s"),
  /** Publish even if another program seems to publish the same table. */
  force: z.boolean().default(false),
  /** Slots whose readers also get the table's rows, and do not publish them. */
  otherReaders: z.array(slotName).max(20).default([]),
});

export type RelayConfig = z.output<typeof relaySchema>;
export type CdcConfig = z.output<typeof cdcSchema>;
