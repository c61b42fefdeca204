import { expect, test } from "vitest";
import type { OutboxPartitions, OutboxRetention, PartitionOutcome } from "#db/stores/port/retention.ts";
import { runPartitions } from "./run-partitions.ts";

const POLICY = {
  ...{ text: "partitions 1 ahead, dropped after 14 d", ahead: 1 },
  drop: { keepSeconds: 1_209_600, how: "delete" as const, reader: null },
};

/** A table whose partitions are always there to create and to drop. `onCreate` runs meanwhile. */
function open(onCreate: () => void) {
  const retention = {
    pressure: async () => ({ databaseTimeMs: Date.now(), probeMs: 1, heldBack: null }),
    begin: async () => "1",
    count: async () => undefined,
    end: async () => undefined,
  } as unknown as OutboxRetention;
  const outcome = (name: "created" | "dropped") =>
    ({ partition: name, outcome: name, rows: 1, bytes: 1, statement: "" }) as unknown as PartitionOutcome;
  const partitions = {
    refuses: async () => null,
    createAhead: async () => {
      onCreate();
      return [outcome("created")];
    },
    dropOld: async () => [outcome("dropped")],
  } as unknown as OutboxPartitions;
  return { retention, partitions, policy: POLICY };
}

const run = async (stopping: AbortController, onCreate: () => void) =>
  (await runPartitions({ ...open(onCreate), signal: stopping.signal })).map(({ partition }) => partition);

test("a worker that is asked to stop while it creates partitions drops none", async () => {
  const stopping = new AbortController();
  expect(await run(stopping, () => undefined)).toEqual(["created", "dropped"]);
  expect(await run(stopping, () => stopping.abort())).toEqual(["created"]);
});
