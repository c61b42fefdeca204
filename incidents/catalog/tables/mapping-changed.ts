import type { Incident, Stage } from "../../incident.ts";
import type { Scene } from "../../scene.ts";
import { ORDERS } from "../orders.ts";

const PUBLISHED = 50;
const WRITTEN = 20;

const STAGE: Stage = {
  status: "fail",
  cause: [/published_at/],
  proves: async (scene) => untouched(scene),
};

/** Checks that no guess published or deleted anything. */
async function untouched(scene: Scene): Promise<void> {
  const rows = await scene.count("true");
  if (rows !== scene.sent.size) throw new Error(`${scene.sent.size - rows} rows were deleted.`);
  const twice = [...scene.sink.received.values()].filter((times) => times > 1).length;
  if (twice > 0) throw new Error(`${twice} published rows were published again.`);
  if (scene.sink.received.size > PUBLISHED)
    throw new Error(`${scene.sink.received.size - PUBLISHED} rows were published on a guess.`);
}

/** A migration renames the column that marks published messages, and the worker is restarted later. */
export const mappingChanged: Incident = {
  name: "mapping-changed",
  stack: "processes",
  outboxes: [ORDERS],
  produce: async (scene) => {
    await scene.store.run(`TRUNCATE ${scene.table}`);
    scene.sink.received.clear();
    await scene.received(await scene.writeMany(PUBLISHED, "order.placed", 10));
    await scene.settled();
    await scene.store.run(`ALTER TABLE ${scene.table} RENAME COLUMN published_at TO sent_at`);
    await scene.begin();
    await scene.writeMany(WRITTEN, "order.placed", 10);
  },
  stages: [
    { ...STAGE, steadyReadings: 4, unreadable: true },
    {
      ...STAGE,
      name: "mapping-changed, worker restarted",
      before: async ({ stack }) => {
        await stack.stopWorker();
        await stack.startWorker({ owns: [] });
      },
      steadyReadings: 7,
      unreadable: true,
    },
  ],
  mend: async ({ store, table, stack }) => {
    await store.run(`ALTER TABLE ${table} RENAME COLUMN sent_at TO published_at`);
    await stack.stopWorker();
    await stack.startWorker();
  },
};
