import { BULK_STATES, type BulkState } from "#domain/message/bulk-operation.ts";
import { ROLES, type Role } from "#domain/operator.ts";
import type { BulkRow } from "../../port/bulk-records.ts";

/** A row of our operations, bulk or not. */
export interface OperationRow extends Omit<BulkRow, "actor" | "runner" | "state"> {
  actor: string;
  role: Role;
  runner: string | null;
  heartbeatAt: string | null;
  alive: boolean;
  result: unknown;
  state: BulkState | null;
}

/** Null for an operation that is not a bulk operation, and for a state that this version does not know. */
export function toBulk(row: OperationRow | undefined): BulkRow | null {
  if (!row?.state || !BULK_STATES.includes(row.state)) return null;
  const { role, heartbeatAt, alive, result: _, ...bulk } = row;
  return {
    ...bulk,
    state: row.state,
    actor: { name: row.actor, role: ROLES.includes(role) ? role : "viewer" },
    runner: alive && row.runner !== null && heartbeatAt !== null ? { name: row.runner, heartbeatAt } : null,
  };
}
