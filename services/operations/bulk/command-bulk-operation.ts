import type { Operation } from "#contracts/message/operations.ts";
import { AppError } from "#domain/errors.ts";
import { ACTION_SWITCHES } from "#domain/message/action-switch.ts";
import { BULK_COMMANDS, BULK_ROLES, type BulkCommand, type BulkState } from "#domain/message/bulk-operation.ts";
import { requireRole, type ServiceContext } from "../../context.ts";
import { findOperation } from "../find-operation.ts";
import { requireSwitchedOn } from "../require-switched-on.ts";
import { bulkToOperation } from "./bulk-to-operation.ts";

/**
 * Pauses, resumes or cancels a bulk operation; what was done stays done. Throws: forbidden, not_found, wrong_state (it
 * has ended, or is not in a state for that), unavailable.
 */
export async function commandBulkOperation(input: {
  ctx: ServiceContext;
  id: string;
  command: BulkCommand;
  reason: string;
}): Promise<Operation> {
  const { ctx, id, command, reason } = input;
  const { store, bulk: row } = await findOperation(ctx.runtime, id);
  const records = store.records.bulk;
  if (!row || !records)
    throw new AppError("wrong_state", "This operation ran within its request: there is nothing to change.");
  const role = Object.entries(BULK_ROLES).find(([action]) => action === row.action)?.[1];
  if (!role)
    throw new AppError(
      "wrong_state",
      "A newer version of the program started it, with an action that is not known here.",
    );
  requireRole(ctx, role, [row.outbox]);
  if (command === "resume") await requireStillOn(ctx, row.outbox, row.action);
  const changed = await records.command({
    id,
    outbox: row.outbox,
    from: BULK_COMMANDS[command],
    to: nextState(command, row.progress),
    actor: ctx.actor,
    action: `operation.${command}`,
    reason,
  });
  const now = await records.get(id);
  if (changed && now) return bulkToOperation(now);
  throw new AppError("wrong_state", `It cannot be changed by ${command}: it is ${now?.state ?? "gone"}.`, {
    details: { state: now?.state },
  });
}

/**
 * An action that was switched off since can be paused and cancelled, not resumed. Throws: forbidden, not_found,
 * unavailable.
 */
async function requireStillOn({ runtime }: ServiceContext, outbox: string, action: string): Promise<void> {
  const known = ACTION_SWITCHES.find((one) => one === action);
  requireSwitchedOn(runtime, await runtime.outbox(outbox), "bulk", ...(known ? [known] : []));
}

/** One that was paused while its items were written goes on writing them. */
function nextState(command: BulkCommand, progress: unknown): BulkState {
  if (command === "pause") return "paused";
  if (command === "cancel") return "cancelling";
  const selectedAll =
    typeof progress === "object" && progress !== null && "selectedAll" in progress && progress.selectedAll;
  return selectedAll ? "running" : "selecting";
}
