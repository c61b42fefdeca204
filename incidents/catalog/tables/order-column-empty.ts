import type { Incident } from "../../incident.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** A second producer writes rows without the number by which the relay orders them. */
export const orderColumnEmpty: Incident = {
  name: "order-column-empty",
  stack: "tables",
  outboxes: [
    outboxSpec("order-column-empty", {
      ...RELAYED,
      ddl: (table) => `${RELAYED.ddl(table)};
        ALTER TABLE ${table} ALTER seq DROP IDENTITY, ALTER seq DROP NOT NULL;
        CREATE SEQUENCE ${table}_numbers;
        ALTER TABLE ${table} ALTER seq SET DEFAULT nextval('${table}_numbers')`,
    }),
  ],
  produce: async (scene) => {
    await scene.received(await scene.writeMany(3, "order.placed", 3));
    // A relay that starts reads from the start of the table and sends those that are there, so they keep coming.
    const writeWithoutPlace = async () => {
      await scene.pool.query(
        `INSERT INTO ${scene.table} (seq, aggregate_type, aggregate_id, event_type, payload)
         VALUES (NULL, 'refund', 'refund-1', 'refund.issued', '{}')`,
      );
    };
    scene.traffic({ eventType: "order.placed", perSecond: 2, aggregates: 10, afterCommit: writeWithoutPlace });
  },
  stages: [
    {
      word: "in_part",
      rule: "orderless",
      cause: [/^\d+ messages? ha(s|ve) no value in seq, so a running relay does not find (it|them) since .*\d\d:\d\d/],
      also: ({ findings }) =>
        /^Set seq in (this row|these rows)/.test(findings.body?.findings[0]?.nextStep ?? "")
          ? []
          : ["the next step does not say what to do with the rows"],
      steadyReadings: 3,
    },
  ],
  mend: async (scene) => {
    const { pool, table } = scene;
    await scene.endTraffic();
    await pool.query(`UPDATE ${table} SET seq = nextval('${table}_numbers') WHERE seq IS NULL`);
  },
};
