import type { Incident } from "../../incident.ts";
import { MYSQL_ORDERS } from "../on-mysql.ts";

const { table } = MYSQL_ORDERS;

/** A hand-made change of the table, in which what waited was not copied to the new one. */
export const mysqlTableSwapped: Incident = {
  name: "mysql-table-swapped",
  stack: "mysql",
  outboxes: [MYSQL_ORDERS],
  produce: async (scene) => {
    await scene.sink.down();
    await scene.writeMany(5, "order.placed", 5);
    await scene.store.run(`CREATE TABLE ${table}_new LIKE ${table}; ALTER TABLE ${table}_new AUTO_INCREMENT = 1000000;
      RENAME TABLE ${table} TO ${table}_old, ${table}_new TO ${table}`);
    await scene.sink.up();
    await scene.begin();
    await scene.writeMany(3, "order.placed", 3, { aggregateId: "later-1" });
  },
  stages: [
    {
      word: "in_part",
      status: "fail",
      rule: "left_behind",
      cause: [/^5 messages wait in shop\.outbox_mysql_orders_old, which was this outbox's table/],
      steadyReadings: 3,
    },
  ],
  mend: ({ store }) =>
    store.run(`INSERT INTO ${table} SELECT * FROM ${table}_old WHERE published_at IS NULL; DROP TABLE ${table}_old`),
};
