import { expect, test } from "vitest";
import type { Notice } from "#db/stores/port/relay/relay-stream.ts";
import { NoticeQueue } from "./notice-queue.ts";

const notice = (position: string, order: Notice["order"]): Notice => ({
  ...{ id: order[1], aggregateKey: "order/a", order, message: null, bytes: 1 },
  transaction: { committedAtMs: 0, position },
});

test("notices that go back take their places again, whatever their ids are", () => {
  const queue = new NoticeQueue();
  // Rows of one transaction and of a later one, with unordered keys.
  const all = [
    notice("1", ["7", "c4a0c9f0-0000-4000-8000-000000000000"]),
    notice("1", ["8", "1b1f7f5e-0000-4000-8000-000000000000"]),
    notice("1", ["9", "f00dcafe-0000-4000-8000-000000000000"]),
    notice("2", ["10", "0a0a0a0a-0000-4000-8000-000000000000"]),
  ];
  for (const one of all) queue.push(one);
  let count = 0;
  const { taken } = queue.take(() => (++count > 2 ? "end" : "take"));
  expect(taken).toEqual(all.slice(0, 2));
  queue.putBack([...taken].reverse());
  expect(queue.take(() => "take").taken).toEqual(all);
});
