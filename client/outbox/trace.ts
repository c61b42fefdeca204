/** W3C trace context and baggage of the code that calls `add`. */
interface TraceContext {
  traceparent?: string;
  tracestate?: string;
  baggage?: string;
}

/** Called once for each message, inside `add`: at delivery it would find the relay's own trace. */
export type TraceCapture = () => TraceContext;

/** The part of `@opentelemetry/api` that is used. */
export interface OpenTelemetryApi {
  context: { active(): unknown };
  propagation: { inject(context: never, carrier: Record<string, string>): void };
}

const NAMES = ["traceparent", "tracestate", "baggage"] as const;

/**
 * The active trace by the propagators that the application has set up: `trace: otel(api)` with
 * `import * as api from "@opentelemetry/api"`. Baggage is left out unless asked for, because it may hold personal data.
 */
export function otel(api: OpenTelemetryApi, { baggage = false }: { baggage?: boolean } = {}): TraceCapture {
  return () => {
    const carrier: Record<string, string> = {};
    api.propagation.inject(api.context.active() as never, carrier);
    const found: TraceContext = {};
    for (const name of NAMES) if (carrier[name] && (name !== "baggage" || baggage)) found[name] = carrier[name];
    return found;
  };
}
