import type { PauseRequest } from "#contracts/relays.ts";
import { toDatabaseError } from "#db/postgres/database-error.ts";
import { withWriteTransaction } from "#db/postgres/transaction.ts";
import { deletePause, writePause } from "#db/relays/list-relays.ts";
import { writeAudit } from "#db/store-side/write-audit.ts";
import { AppError } from "#domain/errors.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import type { OutboxHandle } from "../runtime.ts";

/** Pauses an outbox's relay until it expires or someone resumes it; obeyed within a second. */
export async function pauseRelay(input: { ctx: ServiceContext; outbox: string; request: PauseRequest }): Promise<void> {
  const { ctx, request } = input;
  requireRole(ctx, "operator");
  const handle = await relayedOutbox(ctx, input.outbox);
  await change(handle, async (client) => {
    await writePause(client, {
      outbox: handle.name,
      reason: request.reason,
      by: ctx.actor.name,
      minutes: request.minutes,
    });
    const detail = request.minutes === null ? "until resumed" : `for ${request.minutes} minutes`;
    await writeAudit(client, {
      actor: ctx.actor,
      action: "relay.pause",
      outbox: handle.name,
      outcome: "done",
      reason: request.reason,
      detail,
    });
  });
}

/** Throws: wrong_state, when it is not paused. */
export async function resumeRelay(input: { ctx: ServiceContext; outbox: string; reason: string }): Promise<void> {
  const { ctx } = input;
  requireRole(ctx, "operator");
  const handle = await relayedOutbox(ctx, input.outbox);
  await change(handle, async (client) => {
    if (!(await deletePause(client, handle.name)))
      throw new AppError("wrong_state", "The relay of this outbox is not paused.");
    await writeAudit(client, {
      actor: ctx.actor,
      action: "relay.resume",
      outbox: handle.name,
      outcome: "done",
      reason: input.reason,
    });
  });
}

async function relayedOutbox(ctx: ServiceContext, outbox: string): Promise<OutboxHandle> {
  const handle = await ctx.runtime.outbox(outbox);
  if (handle.config.mode !== "relay" || !handle.storeSide) {
    throw new AppError("wrong_state", `Outbox ${handle.name} is not published by a relay of this console.`);
  }
  return handle;
}

async function change(handle: OutboxHandle, work: Parameters<typeof withWriteTransaction<void>>[1]): Promise<void> {
  await withWriteTransaction(handle.store.writes, work).catch((error: unknown) => {
    throw toDatabaseError(error, `outbox ${handle.name}`);
  });
}
