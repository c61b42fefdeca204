import { withLastSnapshot } from "#services/outboxes/last-examinations.ts";
import { takeSnapshot } from "#services/outboxes/take-snapshot.ts";
import { handle } from "../../../../../_server/handle.ts";

export const GET = handle({ role: "viewer" }, async ({ ctx: { runtime }, params: { outbox = "" } }) => {
  try {
    return await takeSnapshot({ runtime, outbox });
  } catch (error) {
    throw withLastSnapshot(runtime, outbox, error);
  }
});
