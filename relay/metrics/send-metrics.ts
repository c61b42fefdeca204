import type { Logger } from "pino";
import { Counter, Histogram, Registry } from "prom-client";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { isSampled, parseTraceparent, type TraceContext, traceContextIn } from "#domain/relay/trace-context.ts";
import { observedSink, type SentRequest } from "../sinks/observed-sink.ts";
import type { PublishOutcome, Sink } from "../sinks/sink.ts";
import { TRACE_FIELD } from "../tracing/trace-field.ts";

/** Seconds; as the conventions of OpenTelemetry advise for messaging.client.operation.duration. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Most error codes that are counted separately; a receiver's further ones count as `_OTHER`. */
const MOST_CODES = 20;
/** Messages of a request whose headers are read for an exemplar, besides failed ones. */
const MOST_READ = 8;
const LABELS = ["outbox", "sink", "messaging_system", "messaging_operation_name"] as const;

/**
 * Counts the messages that this process has sent, under the names of OpenTelemetry's conventions for messaging. A
 * bucket keeps the trace of one of its messages, if that is sampled, as an exemplar. Topics are not labels: a route can
 * produce any number of them.
 */
export class SendMetrics {
  /** Only a registry of OpenMetrics may have exemplars. */
  readonly #registry = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>();
  #rendered: Promise<unknown> = Promise.resolve();
  readonly #codes = new Set<string>();
  readonly #duration: Histogram;
  readonly #sent: Counter;

  constructor() {
    this.#registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
    this.#duration = new Histogram({
      name: "messaging_client_operation_duration_seconds",
      help: "Duration of requests to a sink.",
      labelNames: [...LABELS, "error_type"],
      buckets: BUCKETS,
      enableExemplars: true,
      registers: [this.#registry],
    });
    this.#sent = new Counter({
      name: "messaging_client_sent_messages_total",
      help: "Messages that were sent to a sink, confirmed or failed.",
      labelNames: [...LABELS, "error_type"],
      registers: [this.#registry],
    });
  }

  /** As lines of OpenMetrics, which have the exemplars and `# EOF` at the end, or of Prometheus' older text. */
  text({ openMetrics }: { openMetrics: boolean }): Promise<string> {
    // The format is a setting of the registry, so scrapes that ask for different formats take turns.
    const text = this.#rendered.then(() => {
      const type = openMetrics ? Registry.OPENMETRICS_CONTENT_TYPE : Registry.PROMETHEUS_CONTENT_TYPE;
      this.#registry.setContentType(type as typeof Registry.OPENMETRICS_CONTENT_TYPE);
      return this.#registry.metrics();
    });
    this.#rendered = text.catch(() => undefined);
    return text;
  }

  /** The sink, with each request measured. */
  measured(
    sink: Sink,
    { outbox, sinkName, log }: { outbox: string; sinkName: string; log: Pick<Logger, "debug"> },
  ): Sink {
    const labels = { outbox, sink: sinkName, messaging_system: sink.kind, messaging_operation_name: "send" };
    return observedSink(sink, (request) => this.#count(labels, request), log);
  }

  #count(labels: Record<string, string>, { messages, outcomes, startMs, endMs }: SentRequest): void {
    // An aborted request is no evidence about the sink.
    if (outcomes.every(({ kind }) => kind === "aborted")) return;
    const byCode = new Map<string, number>();
    for (const outcome of outcomes) {
      if (outcome.kind === "aborted") continue;
      const code = outcome.kind === "failed" ? this.#codeOf(outcome.failure.code) : "";
      byCode.set(code, (byCode.get(code) ?? 0) + 1);
    }
    for (const [code, count] of byCode) this.#sent.inc(withError(labels, code), count);
    const codes = [...byCode.keys()].filter((code) => code !== "");
    const [only = ""] = codes;
    const trace = traceOf(messages, outcomes);
    this.#duration.observe({
      labels: withError(labels, codes.length > 1 ? "_OTHER" : only),
      value: (endMs - startMs) / 1000,
      ...(trace ? { exemplarLabels: { trace_id: trace.traceId, span_id: trace.spanId } } : {}),
    });
  }

  #codeOf(code: string): string {
    if (!this.#codes.has(code) && this.#codes.size >= MOST_CODES) return "_OTHER";
    this.#codes.add(code);
    return code;
  }
}

function withError(labels: Record<string, string>, code: string): Record<string, string> {
  return code === "" ? labels : { ...labels, error_type: code };
}

/**
 * The sampled context of a failed message, or of one of the first: reading the headers of a whole batch would slow the
 * relay.
 */
function traceOf(messages: readonly OutgoingMessage[], outcomes: readonly PublishOutcome[]): TraceContext | null {
  let found: TraceContext | null = null;
  for (const [index, { headers, fields }] of messages.entries()) {
    const failed = outcomes[index]?.kind === "failed";
    if (!failed && (found || index >= MOST_READ)) continue;
    const column = fields?.[TRACE_FIELD];
    const context = traceContextIn(headers) ?? (column ? parseTraceparent(column) : null);
    if (!context || !isSampled(context)) continue;
    if (failed) return context;
    found = context;
  }
  return found;
}
