import { z } from "zod";
import { instantSchema } from "./common.ts";

/** Of a relay that notices messages in the log: is it reading, and how much log does the server keep for its slot. */
export const streamSchema = z.object({
  slot: z.string(),
  /** Null when the slot is gone. */
  lagBytes: z.number().nullable(),
  /** In the server's own word: reserved, extended, unreserved, lost. */
  walStatus: z.string().nullable(),
  connected: z.boolean(),
  since: instantSchema,
});
