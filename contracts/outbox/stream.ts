import { z } from "zod";
import { instantSchema } from "../common.ts";

/** Log reading of a relay: whether it is connected, and how much log it has not read yet. */
export const streamSchema = z.object({
  /**
   * A replication slot of Postgres, a reader of the binary log of MySQL or MariaDB, or one of a table's stream in
   * DynamoDB.
   */
  reader: z.enum(["slot", "binlog", "stream"]),
  /** Name of the slot or of the reader. */
  slot: z.string(),
  /** Log not read yet. Null when the slot is gone, or when it is unknown. */
  lagBytes: z.number().nullable(),
  /** The server's `wal_status`: reserved, extended, unreserved, lost. Of a binlog only the last two, or null. */
  walStatus: z.string().nullable(),
  connected: z.boolean(),
  since: instantSchema,
  /** Why the log is not read, as a sentence; null while it is, and while that is expected to pass in a moment. */
  problem: z.string().nullable().default(null),
});
