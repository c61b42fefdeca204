import type { RetentionPreview } from "#contracts/outbox/storage.ts";
import { AppError } from "#domain/errors.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import { whyNotOperated } from "../outboxes/own-tables.ts";
import type { Runtime } from "../runtime.ts";
import { asAccepted } from "../stores/as-accepted.ts";
import { sentencesOf } from "../stores/outbox-stop.ts";
import { inboxWindows } from "./inbox-windows.ts";
import { ruleOf } from "./policies-of.ts";

/**
 * What retention would remove now under a rule. Changes nothing. Throws: wrong_state with the reason why nothing may
 * go.
 */
export async function previewRetention(input: {
  runtime: Runtime;
  outbox: string;
  keepDays: number;
  how: "delete" | "archive";
}): Promise<RetentionPreview> {
  const handle = asAccepted(await input.runtime.outbox(input.outbox));
  const { retention: can } = handle.store.capabilities;
  const { retention } = outboxOf(handle);
  if (!retention) throw new AppError("wrong_state", can === true ? "Nothing is removed here." : can.no);
  if (handle.stop) throw new AppError("wrong_state", sentencesOf(handle.stop));
  if (!handle.storeSide) throw new AppError("wrong_state", whyNotOperated(handle));
  const keepMs = input.keepDays * 86_400_000;
  const rule = ruleOf(handle, { keepMs, how: input.how });
  const [preview, inboxes] = await Promise.all([
    handle.store.guard.ask(() => retention.preview(rule)),
    inboxWindows({ runtime: input.runtime, handle, keepSeconds: keepMs / 1000 }),
  ]);
  return { asOf: new Date().toISOString(), ...preview, inboxes };
}
