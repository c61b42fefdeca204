import { expect, test } from "vitest";
import { ago, due, judged, relays, waits } from "./situation.fixture.ts";

const LOST = "the store does not answer (Connection terminated unexpectedly)";
const TIMED_OUT = "canceling statement due to statement timeout";

function firstCause(relay: { lastError: string; settlingSince?: string }) {
  return judged({
    figures: waits(30, 8),
    facts: { relays: relays({ lastPublishedAt: ago(12), lastErrorAt: ago(2), ...relay }), waiting: due(30, 8) },
  }).causes[0];
}

test.each([
  [
    "claims",
    { lastError: `Nothing can be claimed: ${LOST}` },
    /^the relay is alive but cannot claim messages: the store/,
  ],
  [
    "marks",
    { lastError: `Outcomes could not be written: ${LOST}`, settlingSince: ago(9) },
    /^the relay cannot mark what it has published: the store does not answer/,
  ],
])("a lost connection is no permission that the relay's user lacks: %s", (_, relay, sentence) => {
  const cause = firstCause(relay);
  expect(cause?.sentence).toMatch(sentence);
  expect(cause?.diagnosis).not.toMatch(/store answers|refuses to mark/);
  expect(cause?.nextStep).toMatch(/network, and any pooler/);
  expect(cause?.nextStep).not.toMatch(/permission that it lacks/);
});

test.each([
  ["claims", { lastError: `Nothing can be claimed: ${TIMED_OUT}` }],
  ["marks", { lastError: `Outcomes could not be written: ${TIMED_OUT}`, settlingSince: ago(9) }],
  [
    "claims of MySQL",
    { lastError: "Nothing can be claimed: Query execution was interrupted, maximum statement execution time exceeded" },
  ],
])("a time limit is no permission that the relay's user lacks: %s", (_, relay) => {
  const cause = firstCause(relay);
  expect(cause?.sentence).toMatch(/timeout|time exceeded/);
  expect(cause?.nextStep).toMatch(/^Raise the time limit/);
  expect(cause?.nextStep).not.toMatch(/permission that it lacks/);
});

test.each([
  [
    'database is not accepting commands that assign new transaction IDs to avoid wraparound data loss in database "shop"',
    /^End what keeps the server from removing old rows .* then run VACUUM/,
  ],
  [
    'cannot update table "orders" because it does not have a replica identity and publishes updates',
    /^Give the table a replica identity/,
  ],
])("no permission is missing where the server says: %s", (reason, step) => {
  const cause = firstCause({ lastError: `Outcomes could not be written: ${reason}`, settlingSince: ago(9) });
  expect(cause?.nextStep).toMatch(step);
});
