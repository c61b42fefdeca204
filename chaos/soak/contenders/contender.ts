import { createRouter } from "#relay/routing/create-router.ts";
import type { Router } from "#relay/routing/router.ts";
import type { PublishOutcome, Sink } from "#relay/sinks/sink.ts";
import { relaySchema } from "#services/config/relay-schema.ts";
import type { SoakSink } from "../options.ts";

/** What the soak needs of a sink. */
export type Contender = Pick<Sink, "maxBatch" | "keepsOrderInBatch" | "connect" | "publish" | "close">;

/** Passed to the contender's process as text. */
export interface ContenderInput {
  sink: SoakSink;
  /** Loopback port of the contender's own line to the broker. */
  port: number;
  /** Its topics begin with this name. */
  topic: string;
  timeoutMs: number;
  connectTimeoutMs: number;
}

/** Addresses messages as the product does, for both contenders, so that only the clients differ. */
export function routerOf({ sink, topic }: ContenderInput): Router {
  return createRouter({
    config: relaySchema.parse({ sink: "soak", route: { topic: `${topic}-{topic}` } }).route,
    outbox: "soak",
    sinkKind: sink,
  });
}

/** Outcome for a library's error; distinguishes only timeouts and lost connections. */
export function failedWith(error: unknown): PublishOutcome {
  const text = textOf(error);
  const code = /timed? ?out|timeout/i.test(text)
    ? "timeout"
    : /connect|network|closed|ECONN|EPIPE|max retries per request/i.test(text)
      ? "unreachable"
      : "unknown";
  return { kind: "failed", failure: { code, kind: "ambiguous", message: text.slice(0, 200) } };
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors.map(textOf).join("; ") : "";
  return [error.message, inner, error.cause === undefined ? "" : textOf(error.cause)].filter(Boolean).join(": ");
}
