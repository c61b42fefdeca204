import { pino } from "pino";
import { expect, test } from "vitest";
import type { SettleRequest } from "#db/stores/port/relay/settle.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { waitFor } from "#tests/wait-for.ts";
import { Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { RelayStats } from "../state/relay-stats.ts";
import { Settler } from "./settler.ts";

const FAILS = "outcomes cannot be written; trying again";
const WORKS = "outcomes are written again";

test("the log says that outcomes are written again once the refused one is, not when others are", async () => {
  const logged: string[] = [];
  const log = pino({}, { write: (line) => void logged.push(JSON.parse(line).msg) });
  const lanes = new Lanes(compareOrder);
  const settled: string[] = [];
  let refusals = 0;
  let answer: ((refuses: boolean) => void) | undefined;
  /** Refuses message 1 at once, and then as `answer` says. */
  const settle = async ({ entries }: SettleRequest) => {
    if (entries.some(({ message }) => message.order[0] === "1")) {
      refusals += 1;
      const refuses = refusals === 1 || (await new Promise<boolean>((resolve) => (answer = resolve)));
      if (refuses) throw new Error("a trigger refuses this row");
    }
    return { published: [], latenciesMs: [], fenced: [], foreign: [], replaced: [] };
  };
  const context = { table: { settle }, lease: {}, log, stats: new RelayStats() } as unknown as PipelineContext;
  const settler = new Settler(context, lanes, (batch) => {
    for (const { claimed } of batch) settled.push(claimed.message.order[0]);
  });
  const publish = (n: number) =>
    settler.push(lanes.add(makeMessage(n), `claim-${n}`, false), { kind: "published" } as never);
  const answers = (refuses: boolean) =>
    waitFor(() => answer !== undefined, { message: "it is tried again" }).then(() => {
      answer?.(refuses);
      answer = undefined;
    });

  const running = settler.run();
  publish(1);
  await waitFor(() => answer !== undefined, { message: "it was refused and is tried again" });
  publish(2);
  await waitFor(() => settled.includes("2"), { message: "the other one is written" });
  expect(logged).toEqual([FAILS]);
  await answers(true);
  await answers(false);
  await waitFor(() => settled.includes("1"), { message: "it is written" });
  settler.stop();
  await running;
  expect(logged).toEqual([FAILS, WORKS]);
});
