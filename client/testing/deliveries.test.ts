import { expect, test } from "vitest";
import { deliveries } from "./deliveries.ts";
import { contractMessage } from "./inbox-contract.ts";

const messages = Array.from({ length: 40 }, (_, n) => ({ ...contractMessage(`m${n}`), aggregateId: `a${n % 4}` }));
const idsOf = (sent: readonly { id: string }[]) => sent.map(({ id }) => id);
const ids = idsOf(messages);

test("without faults everything comes once, in order", () => {
  expect(idsOf(deliveries(messages))).toEqual(ids);
});

test("each message comes again as often as asked, after its first delivery, and not all at once", () => {
  const sent = idsOf(deliveries(messages, { duplicates: 2 }));
  expect(sent.toSorted()).toEqual([...ids, ...ids, ...ids].sort());
  expect([...new Set(sent)]).toEqual(ids);
  expect(sent).not.toEqual(ids.flatMap((id) => [id, id, id]));
});

test("aggregates overtake each other and stay in order themselves", () => {
  const sent = deliveries(messages, { reorder: "aggregates" });
  expect(idsOf(sent)).not.toEqual(ids);
  for (const aggregate of ["a0", "a1", "a2", "a3"]) {
    const of = (all: typeof sent) => idsOf(all.filter(({ aggregateId }) => aggregateId === aggregate));
    expect(of(sent)).toEqual(of(messages));
  }
});

test("a seed gives the same sequence each time, and another seed another", () => {
  const sent = (seed: number) => idsOf(deliveries(messages, { reorder: "all", duplicates: 1, seed }));
  expect(sent(7)).toEqual(sent(7));
  expect(sent(7)).not.toEqual(sent(8));
});
