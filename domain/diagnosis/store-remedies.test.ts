import { expect, test } from "vitest";
import { storeRemedy } from "./store-remedies.ts";

test.each([
  ["permission denied for table outbox", /^Grant .* permission/],
  ["UPDATE command denied to user 'relay'@'%' for table 'outbox'", /^Grant .* permission/],
  ['duplicate key value violates unique constraint "one_per_day"', /^Drop or change the constraint or unique index/],
  ['new row for relation "outbox" violates check constraint "not_sent"', /^Drop or change the constraint/],
  ["Duplicate entry 'order-1' for key 'outbox.one_per_day'", /^Drop or change the constraint/],
  ["Check constraint 'not_sent' is violated.", /^Drop or change the constraint/],
  ["Column 'sent_by' cannot be null", /^Drop or change the constraint/],
  ["the ledger is closed", /^Find what refuses the change: .* trigger/],
  ["could not extend file: No space left on device", /^Free space/],
])("what to do where the store answers: %s", (reason, step) => {
  expect(storeRemedy(reason)).toMatch(step);
});
