import { AppError } from "#domain/errors.ts";
import type { MaskRules } from "#domain/masking/mask-rules.ts";
import { maskerFor, outboxOf } from "../outboxes/outbox-of.ts";
import type { Runtime } from "../runtime.ts";

/** Rules for showing one message, by its type; null: everything is shown. Throws: not_found, if it is gone. */
export async function rulesOfMessage(input: {
  runtime: Runtime;
  outbox: string;
  id: string;
}): Promise<MaskRules | null> {
  const handle = await input.runtime.outbox(input.outbox);
  const masker = await maskerFor(handle);
  if (masker === null) return null;
  const [row] = await outboxOf(handle).read.find([input.id]);
  // Without the row it is not known which rules apply to its content.
  if (!row) throw new AppError("not_found", `There is no such message in outbox ${handle.name}.`);
  return masker.rules(row.eventType);
}
