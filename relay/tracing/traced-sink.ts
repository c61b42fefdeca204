import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { Logger } from "pino";
import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { isSampled, parseTraceparent, type TraceContext, traceContextIn } from "#domain/relay/trace-context.ts";
import { observedSink, type SentRequest } from "../sinks/observed-sink.ts";
import type { PublishOutcome, Sink } from "../sinks/sink.ts";
import { TRACE_FIELD } from "./trace-field.ts";

/** Makes the spans. */
export interface Spans {
  tracer: Tracer;
  /** Most links of one span. */
  linkLimit: number;
}

export interface TracedOptions {
  outbox: string;
  sinkName: string;
  topicOf: (message: OutgoingMessage) => string | null;
  /** See TracingConfig. */
  messages: "off" | "link" | "parent";
  slowMs: number;
  log: Pick<Logger, "debug">;
}

/** Most spans of single messages for one request. */
const MOST_MESSAGES = 128;

/**
 * The sink with a span `send` for each request, linked to the contexts in which its messages were written, failed ones
 * first. Spans are made when the outcomes are known. Messages are not changed: each keeps its own `traceparent`.
 */
export function tracedSink(sink: Sink, tracing: Spans, options: TracedOptions): Sink {
  const spans = new SendSpans(sink.kind, tracing, options);
  return observedSink(sink, (request) => spans.record(request), options.log);
}

type Timing = Pick<SentRequest, "startMs" | "endMs">;

interface Sent {
  message: OutgoingMessage;
  outcome: PublishOutcome;
  context: TraceContext | null;
}

class SendSpans {
  readonly #kind: string;
  readonly #tracing: Spans;
  readonly #options: TracedOptions;

  constructor(kind: string, tracing: Spans, options: TracedOptions) {
    this.#kind = kind;
    this.#tracing = tracing;
    this.#options = options;
  }

  record({ messages, outcomes, ...timing }: SentRequest): void {
    const sent = messages.map((message, index) => ({
      message,
      outcome: outcomes[index] ?? ({ kind: "aborted" } as const),
      context: contextOf(message),
    }));
    const failedFirst = [...sent.filter(isFailed), ...sent.filter((one) => !isFailed(one))];
    const destination = this.#destination(messages);
    const name = `send ${destination ?? this.#options.sinkName}`;
    const span = this.#tracing.tracer.startSpan(name, {
      kind: SpanKind.CLIENT,
      root: true,
      startTime: timing.startMs,
      links: linksOf(failedFirst, this.#tracing.linkLimit),
      attributes: this.#attributes(sent, destination),
    });
    if (sent.some(isFailed)) span.setStatus({ code: SpanStatusCode.ERROR });
    if (this.#options.messages !== "off")
      for (const one of this.#worthASpan(failedFirst, timing))
        this.#recordMessage(one, { timing, destination, request: span.spanContext() });
    span.end(timing.endMs);
  }

  /** Null if the messages go to several. */
  #destination(messages: readonly OutgoingMessage[]): string | null {
    const topics = new Set(messages.map((message) => this.#options.topicOf(message)));
    const [only = null] = topics;
    return topics.size === 1 ? only : null;
  }

  #attributes(sent: readonly Sent[], destination: string | null): Attributes {
    const failed = sent.filter(isFailed);
    const [first] = sent;
    return {
      ...this.#common(destination),
      "messaging.batch.message_count": sent.length,
      ...(sent.length === 1 && first ? { "messaging.message.id": first.message.eventId } : {}),
      ...(failed.length > 0 ? { "error.type": codeOfAll(failed), "outbox_console.failed": failed.length } : {}),
    };
  }

  #common(destination: string | null): Attributes {
    return {
      "messaging.system": this.#kind,
      "messaging.operation.name": "send",
      "messaging.operation.type": "send",
      ...(destination === null ? {} : { "messaging.destination.name": destination }),
      "outbox_console.outbox": this.#options.outbox,
      "outbox_console.sink": this.#options.sinkName,
    };
  }

  /** Failed messages, all of a slow request, and those whose own trace is sampled. */
  #worthASpan(sent: readonly Sent[], { startMs, endMs }: Timing): readonly Sent[] {
    const slow = endMs - startMs >= this.#options.slowMs;
    return sent
      .filter((one) => slow || isFailed(one) || (one.context !== null && isSampled(one.context)))
      .slice(0, MOST_MESSAGES);
  }

  #recordMessage(
    { message, outcome, context }: Sent,
    { timing, destination, request }: { timing: Timing; destination: string | null; request: SpanContext },
  ): void {
    // A child of an unsampled trace would be dropped: the span then goes into the request's trace, with a link.
    const isChild = this.#options.messages === "parent" && context !== null && isSampled(context);
    const parent = isChild ? spanContext(context) : request;
    const linked = isChild ? request : context && spanContext(context);
    const code = codeOf({ outcome });
    const waited = message.createdAt === null ? Number.NaN : timing.startMs - Date.parse(message.createdAt);
    const span = this.#tracing.tracer.startSpan(
      `publish ${message.eventType ?? "message"}`,
      {
        kind: SpanKind.PRODUCER,
        startTime: timing.startMs,
        links: linked ? [{ context: linked }] : [],
        attributes: {
          ...this.#common(destination),
          "messaging.message.id": message.eventId,
          "outbox_console.attempt": message.attempts + 1,
          ...(Number.isFinite(waited) ? { "outbox_console.waited_ms": waited } : {}),
          ...(message.eventType === null ? {} : { "outbox_console.event_type": message.eventType }),
          ...(code === undefined ? {} : { "error.type": code }),
        },
      },
      trace.setSpanContext(ROOT_CONTEXT, parent),
    );
    if (code !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end(timing.endMs);
  }
}

function contextOf({ headers, fields }: OutgoingMessage): TraceContext | null {
  const column = fields?.[TRACE_FIELD];
  return traceContextIn(headers) ?? (column ? parseTraceparent(column) : null);
}

function linksOf(sent: readonly Sent[], most: number): Link[] {
  const contexts = sent.flatMap(({ context }) => (context === null ? [] : [{ context: spanContext(context) }]));
  return contexts.slice(0, most);
}

function spanContext({ traceId, spanId, flags }: TraceContext): SpanContext {
  return { traceId, spanId, traceFlags: flags & 1, isRemote: true };
}

function isFailed({ outcome }: Pick<Sent, "outcome">): boolean {
  return outcome.kind === "failed";
}

/** By the conventions, `_OTHER` if the codes differ. */
function codeOfAll(failed: readonly Sent[]): string | undefined {
  const codes = new Set(failed.map(codeOf));
  return codes.size === 1 ? codeOf(failed[0]) : "_OTHER";
}

/** Undefined unless it failed. */
function codeOf(sent: Pick<Sent, "outcome"> | undefined): string | undefined {
  return sent?.outcome.kind === "failed" ? sent.outcome.failure.code : undefined;
}
