import type { Pool } from "pg";
import { waitFor } from "#tests/wait-for.ts";
import type { Incident } from "../../incident.ts";
import { createSlot, dropSlot, SLOT, STREAMED } from "./streamed.ts";

const KEPT = "64MB";

/** While the worker is stopped, the server removes the log that its slot needs: this is said before a worker starts. */
export const slotLostWhileStopped: Incident = {
  name: "slot-lost-while-stopped",
  stack: "slots",
  outboxes: [STREAMED],
  produce: async (scene) => {
    await scene.received(await scene.writeMany(5, "order.placed", 5));
    await scene.settled();
    await scene.stack.stopWorker();
    await scene.writeMany(5, "order.placed", 5);
    await scene.store.run(`ALTER SYSTEM SET max_slot_wal_keep_size = '${KEPT}'`);
    await scene.store.run("SELECT pg_reload_conf()");
    await loseSlot(scene.pool);
  },
  stages: [
    {
      word: "not_delivering",
      status: "fail",
      rule: "no_relay_alive",
      more: [new RegExp(`${SLOT} is lost: the server has removed log`)],
      also: ({ findings }) =>
        (findings.body?.findings ?? []).some(({ diagnosis }) => /another program/.test(diagnosis))
          ? ["our own slot is called another program's"]
          : [],
      steadyReadings: 2,
    },
    {
      name: "slot-lost-while-stopped, worker started",
      before: ({ stack }) => stack.startWorker(),
      word: "at_risk",
      status: "fail",
      rule: "slot_lag",
      cause: [new RegExp(`${SLOT} is lost`)],
      proves: async (scene) => scene.received([...scene.sent]),
    },
  ],
  mend: async ({ pool, store }) => {
    await store.run("ALTER SYSTEM RESET max_slot_wal_keep_size");
    await store.run("SELECT pg_reload_conf()");
    await dropSlot(pool);
    await createSlot(pool);
  },
};

async function loseSlot(pool: Pool): Promise<void> {
  await waitFor(
    async () => {
      await pool.query("SELECT pg_logical_emit_message(false, 'incident', 'x'), pg_switch_wal()");
      await pool.query("CHECKPOINT");
      const { rows } = await pool.query("SELECT wal_status FROM pg_replication_slots WHERE slot_name = $1", [SLOT]);
      return rows[0]?.wal_status === "lost";
    },
    { timeoutMs: 60_000, intervalMs: 50, message: `${SLOT} is lost` },
  );
}
