import { z } from "zod";
import { instantSchema, reasonSchema } from "../common.ts";

/** The connector of Debezium that publishes an outbox, as Kafka Connect and the database report it. No passwords. */
export const connectorSchema = z.object({
  outbox: z.string(),
  connector: z.string(),
  /** Address of Kafka Connect, without user and password. */
  address: z.string(),
  /** When Connect was asked. */
  asOf: instantSchema,
  /** Why its state is not known, as a sentence; null if it is. */
  problem: z.string().nullable(),
  /** Connect's word, e.g. RUNNING, PAUSED, STOPPED, FAILED; null if it is not known. */
  state: z.string().nullable(),
  worker: z.string().nullable(),
  trace: z.string().nullable(),
  tasks: z.array(
    z.object({ id: z.number(), state: z.string(), worker: z.string().nullable(), trace: z.string().nullable() }),
  ),
  /** The position that Connect stored last, about once a minute; null if it has none or it is not known. */
  offset: z
    .object({
      /** LSN up to which it was read, as Postgres writes it; of MySQL the file and its offset. */
      position: z.string().nullable(),
      commit: z.string().nullable(),
      transaction: z.string().nullable(),
      /** Time of the change in the source database. */
      at: instantSchema.nullable(),
    })
    .nullable(),
  offsetProblem: z.string().nullable(),
  /** Null for a connector without a slot, or if it is not known. */
  slot: z
    .object({
      name: z.string(),
      found: z.boolean(),
      active: z.boolean(),
      walStatus: z.string().nullable(),
      /** Log that the server keeps for it, bytes. */
      lagBytes: z.number().nullable(),
      /** Log that the connector has not confirmed, bytes. */
      unconfirmedBytes: z.number().nullable(),
    })
    .nullable(),
  /** Topics that the connector has written to; null if they are not known. */
  topics: z.array(z.string()).nullable(),
  /** The connector's configuration by name, passwords masked; null if it is not known. */
  config: z.record(z.string(), z.string()).nullable(),
  /** Why an operator may not act on it from here, as a sentence; null if one may. */
  refusal: z.string().nullable(),
});
export type Connector = z.infer<typeof connectorSchema>;

export const connectorActSchema = z
  .strictObject({
    act: z.enum(["pause", "resume", "restart", "restart_task"]),
    /** With `restart_task`: which one. */
    task: z.number().int().min(0).max(10_000).optional(),
    reason: reasonSchema,
  })
  .refine(({ act, task }) => (act === "restart_task") === (task !== undefined), {
    message: "A task is named with restart_task, and only then.",
  });
export type ConnectorAct = z.infer<typeof connectorActSchema>;
