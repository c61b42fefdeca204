import { z } from "zod";
import { requiredDuration } from "./value-schemas.ts";

const HOUR_MS = 3_600_000;
const keep = requiredDuration.refine((ms) => ms >= HOUR_MS, "must be at least 1h");

/** What is removed of an outbox, and when. Nothing is, unless it is named. */
export const retentionSchema = z.strictObject({
  published: z
    .strictObject({
      keep,
      // biome-ignore lint/suspicious/noThenProperty: the word of the file; no function, and not kept
      then: z.enum(["delete", "archive"]).default("delete"),
    })
    .transform(({ keep: keepMs, then: how }) => ({ keepMs, how }))
    .optional(),
  archive: z.strictObject({ keep }).optional(),
  partitions: z
    .strictObject({
      /** Partitions that exist beyond the current one; 0 creates none. */
      ahead: z.number().int().min(0).max(60).default(0),
      /** Drop partitions of which every row is published and older than `published.keep`. */
      drop: z.boolean().default(false),
    })
    .optional(),
});

export type RetentionConfig = z.output<typeof retentionSchema>;
