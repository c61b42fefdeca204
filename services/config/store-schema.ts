import { z } from "zod";
import { postgresUrl } from "./value-schemas.ts";

export const storeSchema = z.strictObject({
  kind: z.literal("postgres", { error: "only `postgres` is supported by this version" }),
  url: postgresUrl,
  /** For lists and details only, never for health or guards. */
  readUrl: postgresUrl.optional(),
  /** URL that bypasses the pooler, for session features. */
  directUrl: postgresUrl.optional(),
  /** Schemas to search for tables; default: all but the system's and ours. */
  schemas: z.array(z.string()).optional(),
});

export type StoreConfig = z.output<typeof storeSchema>;
