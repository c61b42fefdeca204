import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { startHttpReceiver } from "#tests/http-receiver.ts";
import { waitFor } from "#tests/wait-for.ts";
import { openHarness, type RelayHarness } from "../../testing/relay-harness.fixture.ts";

let harness: RelayHarness;
beforeEach(async () => {
  harness = await openHarness();
});
afterEach(() => harness.close());

const insert = (payload: object, headers: object | null = null) =>
  harness.pool.query(
    `INSERT INTO outbox_events (aggregate_type, aggregate_id, event_type, payload, headers)
     VALUES ('order', 'o-1', 'order.placed', $1, $2)`,
    [JSON.stringify(payload), headers && JSON.stringify(headers)],
  );

test("a request is a span in the collector, linked to the trace of its message, which goes out as it was", async () => {
  const collector = await startHttpReceiver();
  collector.answerWith({ status: 200, body: "{}" });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await collector.close();
  });
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  vi.stubEnv("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json");
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const traceparent = `00-${traceId}-00f067aa0ba902b7-00`;
  await insert({ n: 1 }, { traceparent, tracestate: "shop=1" });
  await harness.start();
  await harness.waitUntilSent();
  await harness.stop();
  expect(harness.receiver.requests[0]?.headers).toMatchObject({ traceparent, tracestate: "shop=1" });
  const [sent] = collector.requests;
  expect(sent?.path).toBe("/v1/traces");
  const [{ scopeSpans, resource }] = JSON.parse(String(sent?.body)).resourceSpans;
  expect(JSON.stringify(resource)).toContain("outbox-console-worker");
  expect(scopeSpans[0].spans).toMatchObject([{ name: "send hook", kind: 3, links: [{ traceId }] }]);
});

test("an error that quotes a masked value of its message is recorded, logged and reported without it", async () => {
  harness.receiver.answerWith({ status: 422, body: "no account of zoe@example.org at Elm Street 7" });
  await insert({ customer: { mail: "zoe@example.org", street: "Elm Street 7" } });
  await harness.start({ sections: ["masking: { patterns: [email], paths: [customer.street] }"] });
  const recorded = await waitFor(
    () => harness.scalar("SELECT last_error FROM outbox_console.dead_letter LIMIT 1") as Promise<string | undefined>,
    { message: "the message is dead" },
  );
  expect(recorded).toContain("no account of [masked] at [masked]");
  const reported = () =>
    harness.scalar("SELECT last_error FROM outbox_console.relay_instance WHERE last_error IS NOT NULL");
  await waitFor(reported, { message: "the relay reports its last error" });
  expect(String(await reported())).not.toMatch(/zoe|Elm/);
  expect(await harness.scalar("SELECT count(*)::int FROM outbox_console.attempt WHERE error ~ 'zoe|Elm'")).toBe(0);
  expect(harness.logged()).not.toMatch(/zoe|Elm/);
});
