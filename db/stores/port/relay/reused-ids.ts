import type { AuditRecord } from "../audit.ts";

/** Audit action for a deleted record; its detail has the message's last failure. */
export const FORGOTTEN = {
  actor: { name: "relay", role: "admin" },
  action: "message.forget",
  outcome: "done",
  reason: "The message of this record is gone, and a newer one has its id.",
  stateAfter: "pending",
} as const satisfies Partial<AuditRecord>;

/** One step through the records of failed messages. */
export interface ReusedIds {
  /** Number of records that were deleted. */
  dropped: number;
  /** Where the next step goes on; null after the last record. */
  next: string | null;
}
