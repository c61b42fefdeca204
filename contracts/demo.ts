import { z } from "zod";
import { instantSchema } from "./common.ts";

export const FAULT_NAMES = [
  "gateway-down",
  "reject-type",
  "poison-aggregate",
  "relay-killed",
  "lock-rows",
  "burst",
] as const;
const faultSchema = z.object({
  name: z.enum(FAULT_NAMES),
  title: z.string(),
  /** Sentence: what the fault does and where to look. */
  description: z.string(),
  active: z.boolean(),
  since: instantSchema.nullable(),
});
export type Fault = z.infer<typeof faultSchema>;
/** GET /api/v1/demo; `faults` is empty if no demo runs. */
export const demoSchema = z.object({ faults: z.array(faultSchema), ordersPerSecond: z.number() });
export type Demo = z.infer<typeof demoSchema>;
/** POST /api/v1/demo */
export const demoRequestSchema = z.strictObject({ fault: z.enum(FAULT_NAMES), active: z.boolean() });
