import { waitFor } from "#tests/wait-for.ts";
import type { Incident } from "../../incident.ts";
import type { Scene } from "../../scene.ts";
import { insertEvents, RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

const ALL = 16;
const RED = 6;
/** Failing ones come last by name: the list must sort them to the top. */
export const FLEET = Array.from({ length: ALL }, (_, n) =>
  outboxSpec(`fleet-${String(ALL - n).padStart(2, "0")}`, RELAYED),
);
const BROKEN = FLEET.slice(0, RED);

const isRed = (name: string) => BROKEN.some((one) => one.name === name);

/** Six of sixteen outboxes do not deliver: the whole fleet is judged by its worst. */
export const sixOfSixteen: Incident = {
  name: "six-of-sixteen",
  stack: "fleet",
  outboxes: FLEET,
  produce: async (scene) => {
    for (const { name, table } of BROKEN) {
      await scene.sinkOf(name).down();
      await insertEvents(scene.pool, table, [{ eventType: "order.placed", aggregateId: "order-1" }]);
    }
  },
  stages: [
    {
      word: "not_delivering",
      rule: "sink_unavailable",
      cause: [/ECONNREFUSED/],
      also: ({ list, wholeHealth }) => {
        const fleet = list.body?.fleet;
        const top = list.body?.outboxes.slice(0, RED) ?? [];
        return [
          ...(fleet?.title === `${RED} of ${ALL} not delivering` ? [] : [`the fleet's title is "${fleet?.title}"`]),
          ...(/ECONNREFUSED/.test(fleet?.cause ?? "") ? [] : [`the fleet's cause is "${fleet?.cause}"`]),
          ...(top.length === RED && top.every(({ name }) => isRed(name))
            ? []
            : [`first are ${top.map(({ name }) => name).join(", ")}`]),
          ...(isRed(fleet?.outbox ?? "") ? [] : [`the fleet's worst is ${fleet?.outbox}`]),
          ...(/ECONNREFUSED/.test(wholeHealth.body?.output ?? "") ? [] : [`health says "${wholeHealth.body?.output}"`]),
        ];
      },
      proves: opens,
    },
  ],
  mend: async (scene) => {
    for (const { name } of BROKEN) await scene.sinkOf(name).up();
    for (const { name } of BROKEN)
      await waitFor(() => scene.sinkOf(name).received.size === 1, {
        timeoutMs: 60_000,
        message: `${name} is delivered`,
      });
  },
};

async function opens(scene: Scene): Promise<void> {
  const code = await scene.stack.client.page("/");
  if (code !== 200) throw new Error(`/ was answered ${code}.`);
}
