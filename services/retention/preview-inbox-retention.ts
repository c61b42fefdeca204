import type { InboxRetentionPreview } from "#contracts/outbox/storage.ts";
import type { Runtime } from "../runtime.ts";
import { inboxFloor, requireInboxRetention, whyTooShort } from "./inbox-policy.ts";

/**
 * Rows of an inbox that retention would remove now, after so many days. Changes nothing. `refusal`: why it would remove
 * nothing in spite of that. Throws: not_found, wrong_state with the reason why nothing may be removed.
 */
export async function previewInboxRetention(input: {
  runtime: Runtime;
  inbox: string;
  keepDays: number;
}): Promise<InboxRetentionPreview> {
  const { runtime } = input;
  const inbox = await runtime.inbox(input.inbox);
  const retention = await requireInboxRetention(runtime, inbox);
  const keepSeconds = input.keepDays * 86_400;
  const [preview, floor] = await Promise.all([
    inbox.store.guard.ask(() => retention.preview(keepSeconds)),
    inboxFloor(runtime, inbox),
  ]);
  return {
    asOf: new Date().toISOString(),
    ...preview,
    least: floor.seconds,
    floor: floor.text,
    refusal: whyTooShort(floor, keepSeconds),
  };
}
