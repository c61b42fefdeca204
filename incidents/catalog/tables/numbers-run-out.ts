import type { Incident } from "../../incident.ts";
import type { Scene } from "../../scene.ts";
import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const LARGEST = 1000;

const sequenceOf = ({ table }: Scene) => `${table}_seq_seq`;

/**
 * The column that producers' inserts take their number from comes to its end: first a warning, then every insert fails.
 */
export const numbersRunOut: Incident = {
  name: "numbers-run-out",
  stack: "tables",
  outboxes: [
    outboxSpec("numbers-run-out", {
      ...RELAYED,
      ddl: (table) => `${RELAYED.ddl(table)};
        ALTER TABLE ${table} ALTER seq SET MAXVALUE ${LARGEST}`,
    }),
  ],
  produce: async (scene) => {
    await scene.store.run(`SELECT setval('${sequenceOf(scene)}', ${LARGEST - 100})`);
    await scene.received(await scene.writeMany(2, "order.placed", 2));
  },
  stages: [
    {
      word: "at_risk",
      status: "warn",
      rule: "numbers_run_out",
      cause: [/^seq \(bigint\) has 98 numbers left, 9 % of its range; after that, inserts fail/],
      steadyReadings: 2,
    },
    {
      name: "numbers-run-out, at the end",
      before: async (scene) => {
        await scene.received(await scene.writeMany(98, "order.placed", 10));
      },
      word: "at_risk",
      status: "fail",
      rule: "numbers_run_out",
      cause: [/^no number is left for seq \(bigint\), and an insert that takes the next one fails$/],
      also: ({ findings }, scene) =>
        findings.body?.findings[0]?.nextStep.includes(`ALTER SEQUENCE ${sequenceOf(scene)} AS bigint NO MAXVALUE`)
          ? []
          : ["the next step does not have the statement"],
      steadyReadings: 2,
      proves: async (scene) => {
        const refused = await scene.writeMany(1, "order.placed", 1).then(
          () => false,
          () => true,
        );
        if (!refused) throw new Error("An insert succeeded.");
      },
    },
  ],
  mend: async (scene) => {
    await scene.store.run(`ALTER SEQUENCE ${sequenceOf(scene)} AS bigint NO MAXVALUE`);
    await scene.received(await scene.writeMany(3, "order.placed", 3));
  },
};
