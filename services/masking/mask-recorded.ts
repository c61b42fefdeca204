import type { Config } from "../config/config-schema.ts";
import { maskSaid } from "./mask-rows.ts";
import { type Masker, maskerOf } from "./masker.ts";

/** A sentence about an outbox, which may quote an error, as it may be shown now. */
export type RecordedMask = <Text extends string | null>(outbox: string | null, text: Text) => Text;

/** For sentences that were recorded earlier, when less may have been masked: of findings and alerts. */
export async function recordedMask(
  { masking, outboxes }: Config,
  named: Iterable<string | null>,
): Promise<RecordedMask> {
  const maskers = new Map<string, Masker>();
  for (const name of new Set(named)) {
    const config = name !== null && Object.hasOwn(outboxes, name) ? outboxes[name] : undefined;
    const masker = await maskerOf(masking, config?.registry);
    if (name !== null && masker) maskers.set(name, masker);
  }
  return (outbox, text) => {
    const masker = outbox === null ? undefined : maskers.get(outbox);
    return masker ? maskSaid(masker, text) : text;
  };
}
