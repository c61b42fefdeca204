import { pino } from "pino";
import { expect, test } from "vitest";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import type { PublishOutcome, Sink } from "../sinks/sink.ts";
import { SendMetrics } from "./send-metrics.ts";

const traceId = (number: number) => String(number).padStart(32, "0");
const message = (number: number, flags: string | null = "01") =>
  ({
    eventId: `event-${number}`,
    headers: flags === null ? null : JSON.stringify({ traceparent: `00-${traceId(number)}-00f067aa0ba902b7-${flags}` }),
  }) as OutgoingMessage;
const published: PublishOutcome = { kind: "published" };
const failed = (code: string) =>
  ({ kind: "failed", failure: { code, kind: "message", message: "a secret" } }) as PublishOutcome;

async function textAfter(calls: readonly [readonly OutgoingMessage[], readonly PublishOutcome[]][], open = false) {
  const metrics = new SendMetrics();
  for (const [messages, outcomes] of calls) {
    const sink = { kind: "kafka", maxBatch: 500, publish: async () => [...outcomes] } as unknown as Sink;
    const measured = metrics.measured(sink, { outbox: "orders", sinkName: "bus", log: pino({ level: "silent" }) });
    expect(await measured.publish(messages, new AbortController().signal)).toEqual(outcomes);
  }
  return metrics.text({ openMetrics: open });
}

const LABELS = 'outbox="orders",sink="bus",messaging_system="kafka",messaging_operation_name="send"';

test("requests and messages are counted by OpenTelemetry's names, with the code of what failed", async () => {
  const text = await textAfter([
    [
      [message(1), message(2)],
      [published, published],
    ],
    [
      [message(3), message(4), message(5)],
      [published, failed("rejected"), failed("timeout")],
    ],
    [[message(6)], [{ kind: "aborted" }]],
  ]);
  expect(text).toContain(`messaging_client_sent_messages_total{${LABELS}} 3`);
  expect(text).toContain('error_type="rejected"} 1');
  expect(text).toMatch(/duration_seconds_count\{.*\} 1\n/);
  expect(text).toMatch(/duration_seconds_count\{.*error_type="_OTHER".*\} 1\n/);
  expect(text).not.toContain("secret");
});

test("a bucket names the trace of a message in it, of a failed one first, and of no trace that is not sampled", async () => {
  const text = await textAfter(
    [
      [
        [message(1), message(2)],
        [published, failed("rejected")],
      ],
      [
        [message(3, "00"), message(4, null), message(5)],
        [published, published, published],
      ],
    ],
    true,
  );
  expect([...text.matchAll(/# \{trace_id="(\d+)"/g)].map(([, id]) => id).toSorted()).toEqual([traceId(2), traceId(5)]);
  expect(text).toMatch(/# EOF\n$/);
  expect(await textAfter([[[message(1)], [published]]])).not.toContain("trace_id");
});

test("codes that a receiver invents do not make series without end", async () => {
  const text = await textAfter(
    Array.from({ length: 200 }, (_, at) => [[message(at + 1, null)], [failed(`code-${at}`)]] as const).map(
      ([messages, outcomes]) => [messages, outcomes],
    ),
  );
  const series = text.split("\n").filter((line) => line.startsWith("messaging_client_sent_messages_total"));
  expect(series).toHaveLength(21);
  expect(series.find((line) => line.includes("_OTHER"))).toMatch(/ 180$/);
});
