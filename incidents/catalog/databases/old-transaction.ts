import type { Incident } from "../../incident.ts";
import { FLEET } from "../sinks/six-of-sixteen.ts";

/** A session has kept a transaction open for over a minute. */
export const oldTransaction: Incident = {
  name: "old-transaction",
  stack: "fleet",
  outboxes: FLEET,
  produce: async (scene) => {
    const session = await scene.session("month-end-close");
    await session.query("SELECT pg_current_xact_id()");
    await scene.begin();
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
  },
  stages: [
    {
      word: "at_risk",
      status: "warn",
      rule: "old_transaction",
      cause: [/month-end-close/, /pid \d+/, /since .*\d\d:\d\d|for \d+/],
      withinSeconds: 90,
    },
  ],
  mend: (scene) => scene.close(),
};
