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
  ["cannot execute UPDATE in a read-only transaction", /^Let the relay's database user write/],
  [
    "The MySQL server is running with the --super-read-only option so it cannot execute this statement",
    /^Let the relay/,
  ],
  ['relation "outbox_console.claim" does not exist', /^If the table was dropped or renamed/],
  ["Table 'outbox_console.claim' doesn't exist", /^If the table was dropped or renamed/],
  ["The server of the database of outbox orders does not let this user log in. Run ALTER ROLE … LOGIN", /^Change what/],
  [
    "The database of outbox orders is closed to connections on its server. Run ALTER DATABASE …",
    /^Change what the error/,
  ],
  [
    "The password of this user of the database of outbox orders has expired. Set a new one there",
    /^Change what the error/,
  ],
  ["could not extend file: No space left on device", /^Free space/],
])("what to do where the store answers: %s", (reason, step) => {
  expect(storeRemedy(reason)).toMatch(step);
});

/** Reasons as the stores word them, with what their next step must be about. */
test.each([
  ["DynamoDB throttles outbox orders (ThrottlingError); try again in a moment", /capacity/],
  ["The AWS credentials for outbox orders have expired: renew them, and restart worker and console", /^Renew/],
  [
    "The clock of this machine is too far from that of DynamoDB, which refuses the signatures for outbox orders",
    /clock/,
  ],
  ["The secret key of the AWS credentials for outbox orders is wrong, or a proxy changes the requests", /Correct/],
  ["DynamoDB does not know the AWS access key or the session token used for outbox orders: correct them", /Correct/],
  ["The AWS credentials do not allow this for outbox orders (AccessDeniedException)", /policy/],
  ["DynamoDB answered for outbox orders with an error (KMSInvalidStateException); the log has its words", /log/],
  ["The index unpublished, by which outbox orders is read, does not exist", /^Create the index/],
  ["The index unpublished, by which outbox orders is read, is still being built", /^Wait/],
  ["The table shop.orders uses the engine MyISAM, which has no transactions: an interrupted change could …", /InnoDB/],
  ["permission denied for table orders", /Grant the relay's database user/],
  ["Table 'orders' is full", /Free space/],
])("%s", (reason, about) => {
  expect(storeRemedy(reason)).toMatch(about);
  if (!/permission|full/.test(reason)) expect(storeRemedy(reason)).not.toMatch(/database user|sessions/);
});
