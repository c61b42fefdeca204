import type { Revealed } from "#contracts/message/reveal.ts";
import { AppError } from "#domain/errors.ts";
import { ourCommand } from "#domain/text/our-command.ts";
import { askRecords } from "../ask-records.ts";
import { consoleEntry } from "../audit/console-entry.ts";
import { requireRole, type ServiceContext } from "../context.ts";
import { decodeWholeMessage } from "../messages/decode-message.ts";
import { getWholeMessage } from "../messages/get-message.ts";
import { whyNoReveal } from "./why-no-reveal.ts";

/**
 * One message with nothing masked, for a person who may see it. The audit entry is written before the answer is sent;
 * if it cannot be written, nothing is revealed. Throws: forbidden, not_found, wrong_state (no audit), unavailable,
 * query_timeout.
 */
export async function revealMessage(input: {
  ctx: ServiceContext;
  outbox: string;
  id: string;
  reason: string;
}): Promise<Revealed> {
  const { ctx, id, reason } = input;
  requireRole(ctx, "viewer");
  const handle = await ctx.runtime.outbox(input.outbox);
  const refusal = whyNoReveal(handle, ctx.actor);
  if (refusal !== null) throw new AppError("forbidden", refusal);
  const asked = { runtime: ctx.runtime, outbox: handle.name, id };
  const [message, decoded] = await Promise.all([getWholeMessage(asked), decodeWholeMessage(asked)]);
  const about = { outbox: handle.name, reason, detail: `message ${id}` };
  await askRecords(ctx.runtime, MISSING, (records) =>
    records.recordAct(consoleEntry(ctx.actor, "message.reveal", about), async () => undefined),
  );
  return { message, decoded };
}

const MISSING = {
  noDatabase:
    "Nothing can be revealed: the console has no database of its own to record it in. Set console.databaseUrl.",
  notMigrated: `Nothing can be revealed: the console's database has no audit to record it in. Run \`${ourCommand("migrate")}\`.`,
};
