import type { Incident } from "../../incident.ts";
import { STREAMED, writeLog } from "./streamed.ts";

/** A removed connector left its slot behind, for which the server keeps WAL. */
export const foreignSlot: Incident = {
  name: "foreign-slot",
  stack: "slots",
  outboxes: [STREAMED],
  produce: async (scene) => {
    await scene.pool.query("SELECT pg_create_logical_replication_slot('debezium_orders', 'pgoutput')");
    await writeLog(scene.pool);
    scene.traffic({ eventType: "order.placed", perSecond: 3, aggregates: 10 });
  },
  stages: [
    {
      word: "at_risk",
      status: "warn",
      rule: "slot_lag",
      cause: [/debezium_orders/, /1[.,]\d+ ?GB|1,?[1-3]\d\d ?MB/],
    },
  ],
  mend: async ({ pool }) => {
    await pool.query("SELECT pg_drop_replication_slot('debezium_orders')");
  },
};
