import { z } from "zod";
import { instantSchema } from "./common.ts";

/** Log reading of a relay: whether it is connected, and how much log the server retains for its slot. */
export const streamSchema = z.object({
  slot: z.string(),
  /** Null when the slot is gone. */
  lagBytes: z.number().nullable(),
  /** The server's `wal_status`: reserved, extended, unreserved, lost. */
  walStatus: z.string().nullable(),
  connected: z.boolean(),
  since: instantSchema,
});
