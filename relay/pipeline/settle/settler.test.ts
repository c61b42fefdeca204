import { type Logger, pino } from "pino";
import { expect, test } from "vitest";
import type { SettleRequest, SettleResult } from "#db/stores/port/relay/settle.ts";
import { StoreError } from "#db/stores/port/store-error.ts";
import { compareOrder } from "#relay/testing/compare-order.fixture.ts";
import { makeMessage } from "#relay/testing/make-message.fixture.ts";
import { waitFor } from "#tests/wait-for.ts";
import { Lanes } from "../state/lanes/lanes.ts";
import type { PipelineContext } from "../state/pipeline-context.ts";
import { RelayStats } from "../state/relay-stats.ts";
import { Settler } from "./settler.ts";

/** A settler over a store that settles so, and the numbers of the messages whose outcomes are written. */
function start(settle: (request: SettleRequest) => Promise<SettleResult>, log: Logger) {
  const lanes = new Lanes(compareOrder);
  const settled: string[] = [];
  const context = { table: { settle }, lease: {}, log, stats: new RelayStats() } as unknown as PipelineContext;
  const settler = new Settler(context, lanes, (batch) => {
    for (const { claimed } of batch) settled.push(claimed.message.order[0]);
  });
  const publish = (n: number, claim = `claim-${n}`) =>
    settler.push(lanes.add(makeMessage(n), claim, false), { kind: "published" } as never);
  return { settler, settled, publish };
}

const WRITTEN: SettleResult = { published: [], latenciesMs: [], fenced: [], foreign: [], replaced: [] };

const FAILS = "outcomes cannot be written; trying again";
const WORKS = "outcomes are written again";

test("the log says that outcomes are written again once the refused one is, not when others are", async () => {
  const logged: string[] = [];
  const log = pino({}, { write: (line) => void logged.push(JSON.parse(line).msg) });
  let refusals = 0;
  let answer: ((refuses: boolean) => void) | undefined;
  /** Refuses message 1 at once, and then as `answer` says. */
  const settle = async ({ entries }: SettleRequest) => {
    if (entries.some(({ message }) => message.order[0] === "1")) {
      refusals += 1;
      const refuses = refusals === 1 || (await new Promise<boolean>((resolve) => (answer = resolve)));
      if (refuses) throw new Error("a trigger refuses this row");
    }
    return WRITTEN;
  };
  const { settler, settled, publish } = start(settle, log);
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

test("one outcome that is refused after a part was written holds up neither its batch nor others", async () => {
  const settle = async ({ entries }: SettleRequest) => {
    const refused = entries.some(({ message }) => message.order[0] === "7");
    if (refused && entries.length > 1) throw new StoreError("commit_in_doubt", "unavailable", "a part was written", {});
    if (refused) throw new StoreError("refused", "internal", "it is too large", {});
    return WRITTEN;
  };
  const { settler, settled, publish } = start(settle, pino({ level: "silent" }));
  const numbers = Array.from({ length: 10 }, (_, index) => index + 1);
  for (const n of numbers) publish(n, "one claim");
  const running = settler.run();
  await waitFor(() => settled.length === 9, { message: "the others are written" });
  publish(11);
  await waitFor(() => settled.includes("11"), { message: "a later one is written" });
  settler.stop();
  expect(settled.toSorted()).toEqual(
    [...numbers, 11]
      .filter((n) => n !== 7)
      .map(String)
      .toSorted(),
  );
  expect(settler.failing).toBe(false);
  void running;
});

test("thousands of outcomes that were refused one by one are written together once they may be", async () => {
  const many = 2000;
  let refuses = true;
  const tried = new Set<string>();
  let transactions = 0;
  const settle = async ({ entries }: SettleRequest) => {
    transactions += 1;
    const [first] = entries;
    if (entries.length === 1 && first) tried.add(first.message.order[0]);
    // One row is refused for good.
    if (refuses || entries.some(({ message }) => message.order[0] === "7"))
      throw new Error("a trigger refuses this row");
    return WRITTEN;
  };
  const { settler, settled, publish } = start(settle, pino({ level: "silent" }));
  for (let n = 1; n <= many; n += 1) publish(n, "one claim");
  const running = settler.run();
  await waitFor(() => tried.size === many, { message: "each was refused alone" });
  refuses = false;
  transactions = 0;
  await waitFor(() => settled.length === many - 1, { message: "all but one are written" });
  expect(transactions).toBeLessThan(100);
  tried.delete("7");
  await waitFor(() => tried.has("7"), { message: "the last one is tried on" });
  settler.stop();
  await running;
  expect(new Set(settled).size).toBe(many - 1);
});
