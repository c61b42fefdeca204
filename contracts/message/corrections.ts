import { z } from "zod";
import { MOST_EDITED_BYTES } from "../../domain/message/correction.ts";
import { reasonSchema, textSchema } from "../common.ts";
import { operationSchema } from "./operations.ts";

/** A corrected copy of one message. Payload and headers are sent character by character as they are here. */
export const correctionRequestSchema = z.strictObject({
  /** Of the original, as it was seen. */
  version: z.string().max(200),
  payload: textSchema(MOST_EDITED_BYTES),
  /** Those of the original when left out. */
  headers: textSchema(MOST_EDITED_BYTES).optional(),
  reason: reasonSchema,
});
export type CorrectionBody = z.infer<typeof correctionRequestSchema>;

export const correctionSchema = z.object({
  operation: operationSchema,
  /** Null while the outcome is unknown. */
  copyId: z.string().nullable(),
});
export type Correction = z.infer<typeof correctionSchema>;
