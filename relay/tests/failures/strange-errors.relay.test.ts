import { afterEach, beforeEach, expect, test } from "vitest";
import { waitFor } from "#tests/wait-for.ts";
import { insertEvents } from "../../testing/outbox.fixture.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

/** A NUL byte, which Postgres text cannot store, and a surrogate pair at the position where errors are truncated. */
const STRANGE = `a\u0000${"x".repeat(497)}\u{1f600}`;

let harness: RelayHarness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness.close());

test.each([500, 503])(
  "whatever a sink answers with %i is written and keeps nothing from being written",
  async (status) => {
    harness.receiver.answerWith({ status, body: STRANGE });
    await harness.start({ relay: ["maxAttempts: 1000"] });
    await insertEvents(harness.pool, { count: 1 });
    const errorQuery =
      status === 500
        ? "SELECT last_error FROM outbox_console.delivery"
        : "SELECT breaker ->> 'message' FROM outbox_console.relay_instance";
    const error = await waitFor(() => harness.scalar(errorQuery), { message: "the failure is written" });
    expect(error).toContain(`HTTP ${status}: a xxx`);
    const beats = "SELECT last_error FROM outbox_console.relay_instance WHERE last_error LIKE 'HTTP%'";
    await waitFor(() => harness.scalar(beats), { message: "the heartbeat tells of it" });
    harness.receiver.answerWith({ status: 204 });
    await harness.waitUntilSent();
  },
);
