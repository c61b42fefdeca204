import { messageListSchema } from "#contracts/message/messages.ts";
import type { Incident } from "../../incident.ts";
import { LOCKING } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** Another library's claims expired a day ago, and their messages may be retried. */
export const oldClaims: Incident = {
  name: "old-claims",
  stack: "tables",
  outboxes: [outboxSpec("old-claims", LOCKING)],
  produce: async ({ pool, table }) => {
    await pool.query(
      `INSERT INTO ${table} (aggregate_id, event_type, payload, created_at, status, locked_by, locked_until)
       SELECT 'order-' || n, 'order.placed', '{}', now() - interval '1 day', 'processing', 'publisher-7', now() - interval '1 day'
       FROM generate_series(1, 5) n`,
    );
  },
  stages: [
    {
      status: ["warn", "fail"],
      rule: "expired_claim",
      cause: [/\b5\b/, /publisher-7|claim/i],
      proves: async (scene) => {
        const path = `/api/v1/outboxes/${scene.outbox}/messages?state=unsent&limit=1`;
        const { body } = await scene.stack.client.read(path, messageListSchema);
        if (!body?.messages[0]?.claimExpired)
          throw new Error(`The message's claim is not called expired: ${JSON.stringify(body)}`);
        if ((await scene.retryOne("unsent")) === 0)
          throw new Error("A message of an expired claim could not be retried.");
      },
    },
  ],
  mend: async ({ pool, table }) => {
    await pool.query(`UPDATE ${table} SET status = 'sent', locked_until = NULL`);
  },
};
