import { expect, test } from "vitest";
import type { StateCounts } from "#db/stores/port/outbox-figures.ts";
import { MESSAGE_STATES, type MessageState } from "#domain/message/message-state.ts";
import { mappingWarnings } from "./mapping-warnings.ts";

const countsOf = (values: Partial<Record<MessageState, number>>) =>
  Object.fromEntries(
    MESSAGE_STATES.map((state) => [state, { value: values[state] ?? 0, precision: "exact" }]),
  ) as unknown as StateCounts;
const row = (state: MessageState) => ({ ageSeconds: 1, state });

test("a mapping by which every row is published is doubted, unless a row that came meanwhile is not", () => {
  const counts = countsOf({ published: 20 });
  expect(mappingWarnings(counts, [row("published")])).toEqual([expect.stringMatching(/^Every row is published/)]);
  expect(mappingWarnings(counts, [row("pending"), row("published")])).toEqual([]);
});
