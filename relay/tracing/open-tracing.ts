import { setTimeout as delay } from "node:timers/promises";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "pino";
import type { Environment } from "#services/config/load-config.ts";
import { PROGRAM_VERSION } from "#services/program-version.ts";
import type { Sink } from "../sinks/sink.ts";
import type { TracedOptions } from "./traced-sink.ts";
import { type TracingSettings, tracingSettings } from "./tracing-settings.ts";

export interface Tracing {
  /** The sink with spans; see `tracedSink`. */
  traced(sink: Sink, options: TracedOptions): Sink;
  /** Sends the remaining spans, for 1 s at most. Never rejects. */
  stop(): Promise<void>;
}

const STOP_MS = 1_000;

/**
 * Traces of this process, by the variables OTEL_*; null if they ask for none, in which case OpenTelemetry is not
 * loaded. A collector that is slow or down costs spans, never messages: spans wait in a bounded queue. Never rejects.
 */
export async function openTracing(env: Environment, log: Logger): Promise<Tracing | null> {
  const settings = tracingSettings(env);
  if (settings === null) return null;
  if ("problem" in settings) {
    log.warn(settings.problem);
    return null;
  }
  try {
    return await open(settings, log);
  } catch (error) {
    log.warn({ err: error }, "traces cannot be sent: their settings are refused. Messages are not affected.");
    return null;
  }
}

async function open(settings: TracingSettings, log: Logger): Promise<Tracing> {
  const [{ diag, DiagLogLevel }, sdk, resources, { tracedSink }] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/resources"),
    import("./traced-sink.ts"),
  ]);
  // OpenTelemetry's own log reports how many spans a full queue has dropped.
  const warn = (message: string) => log.warn(`traces: ${message}`);
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  const exporter = reporting(await openExporter(settings.exporter), log);
  const { delayMs, timeoutMs, queue, size } = settings.batch;
  const batch = { scheduledDelayMillis: delayMs, exportTimeoutMillis: timeoutMs, maxQueueSize: queue };
  const { envDetector, serviceNameEnvDetector, serviceInstanceIdDetector } = resources;
  const named = resources.resourceFromAttributes({
    "service.name": "outbox-console-worker",
    "service.version": PROGRAM_VERSION,
  });
  const provider = new sdk.TracerProvider({
    resource: named.merge(
      resources.detectResources({ detectors: [serviceInstanceIdDetector, envDetector, serviceNameEnvDetector] }),
    ),
    sampler: openSampler(settings.sampler, sdk),
    spanLimits: { linkCountLimit: settings.linkLimit },
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, ...batch, maxExportBatchSize: Math.min(size, queue) })],
  });
  const tracer = provider.getTracer("outbox-console", PROGRAM_VERSION);
  return {
    traced: (sink, options) => tracedSink(sink, { tracer, linkLimit: settings.linkLimit }, options),
    stop: async () => {
      const shutdown = provider.shutdown().catch((error: unknown) => {
        log.debug({ err: error }, "the last spans could not be sent");
      });
      await Promise.race([shutdown, delay(STOP_MS, undefined, { ref: false })]);
    },
  };
}

const ignore = () => undefined;

type Sdk = typeof import("@opentelemetry/sdk-trace");

async function openExporter(kind: TracingSettings["exporter"]): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    kind === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  return new OTLPTraceExporter();
}

function openSampler({ kind, ratio, followsParent }: TracingSettings["sampler"], sdk: Sdk) {
  const samplers = {
    on: () => new sdk.AlwaysOnSampler(),
    off: () => new sdk.AlwaysOffSampler(),
    ratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
  };
  const root = samplers[kind]();
  return followsParent ? new sdk.ParentBasedSampler({ root }) : root;
}

/** Logs once that spans are lost, and once that they arrive again. */
function reporting(exporter: SpanExporter, log: Logger): SpanExporter {
  let failing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0 && !failing)
          log.warn({ err: result.error }, "traces cannot be sent: their spans are lost. Messages are not affected.");
        if (result.code === 0 && failing) log.info("traces are sent again");
        failing = result.code !== 0;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}
