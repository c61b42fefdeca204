import { z } from "zod";
import { duration } from "./value-schemas.ts";

export const thresholdsSchema = z.strictObject({
  oldestPending: z.strictObject({ warn: duration("60s"), fail: duration("5m") }).prefault({}),
  dead: z.strictObject({ warn: z.number().min(0).default(1), fail: z.number().min(0).default(100) }).prefault({}),
  failed: z
    .strictObject({ warn: z.number().min(0).default(100), fail: z.number().min(0).default(10_000) })
    .prefault({}),
});
