import { expect, test } from "vitest";
import { whySwitchedOff } from "./action-switch.ts";

const on = { readOnly: false, everywhere: {}, here: {} };

test("an action is on unless a setting says false", () => {
  expect(whySwitchedOff("retry", "orders", on)).toBeNull();
  expect(whySwitchedOff("retry", "orders", { ...on, everywhere: { retry: true }, here: { purge: false } })).toBeNull();
});

test("the sentence names the setting that is decisive: the console's before everybody's before the outbox's", () => {
  const here = { ...on, here: { retry: false } };
  const everywhere = { ...here, everywhere: { retry: false } };
  expect(whySwitchedOff("retry", "orders", here)).toContain("outboxes.orders.actions.retry is false");
  expect(whySwitchedOff("retry", "orders", everywhere)).toContain(" actions.retry is false");
  expect(whySwitchedOff("retry", "orders", { ...everywhere, readOnly: true })).toContain("console.readOnly is true");
});

test("an outbox cannot switch on what is off everywhere", () => {
  expect(whySwitchedOff("bulk", "orders", { ...on, everywhere: { bulk: false }, here: { bulk: true } })).toContain(
    "actions.bulk is false",
  );
});
