import type { Environment } from "#services/config/load-config.ts";

/** Trace settings from the environment variables that every OpenTelemetry program reads. */
export interface TracingSettings {
  exporter: "http/protobuf" | "http/json";
  sampler: { kind: "on" | "off" | "ratio"; ratio: number; followsParent: boolean };
  batch: { delayMs: number; timeoutMs: number; queue: number; size: number };
  linkLimit: number;
}

const ENDPOINTS = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
const MOST_LINKS = 128;

/** Null if no traces are wanted: no exporter is named, or OTEL_SDK_DISABLED is true. `problem`: a sentence. */
export function tracingSettings(env: Environment): TracingSettings | null | { problem: string } {
  const text = (name: string) => env[name]?.trim() || undefined;
  if (text("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return null;
  const asked = text("OTEL_TRACES_EXPORTER") ?? (ENDPOINTS.some(text) ? "otlp" : "none");
  if (asked === "none") return null;
  if (asked !== "otlp")
    return { problem: `OTEL_TRACES_EXPORTER is ${asked}; otlp and none are known. No traces are sent.` };
  const protocol = text("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") ?? text("OTEL_EXPORTER_OTLP_PROTOCOL") ?? "http/protobuf";
  if (protocol !== "http/protobuf" && protocol !== "http/json")
    return {
      problem: `The protocol of OTLP is ${protocol}; http/protobuf (port 4318) and http/json are known. No traces are sent.`,
    };
  const number = (name: string, otherwise: number) => {
    const value = Number(text(name) ?? otherwise);
    return Number.isFinite(value) && value > 0 ? value : otherwise;
  };
  return {
    exporter: protocol,
    sampler: samplerOf(text("OTEL_TRACES_SAMPLER") ?? "parentbased_always_on", text("OTEL_TRACES_SAMPLER_ARG")),
    batch: {
      delayMs: number("OTEL_BSP_SCHEDULE_DELAY", 5_000),
      timeoutMs: number("OTEL_BSP_EXPORT_TIMEOUT", 30_000),
      queue: number("OTEL_BSP_MAX_QUEUE_SIZE", 2_048),
      size: number("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512),
    },
    linkLimit: Math.min(MOST_LINKS, number("OTEL_SPAN_LINK_COUNT_LIMIT", MOST_LINKS)),
  };
}

/** An unknown sampler is the default one, as in OpenTelemetry's own SDKs. */
function samplerOf(name: string, argument: string | undefined): TracingSettings["sampler"] {
  const followsParent = name.startsWith("parentbased_") || !/^(?:always_on|always_off|traceidratio)$/.test(name);
  const ratio = Number(argument ?? 1);
  if (name.endsWith("always_off")) return { kind: "off", ratio: 0, followsParent };
  if (!name.endsWith("traceidratio")) return { kind: "on", ratio: 1, followsParent };
  return { kind: "ratio", ratio: ratio >= 0 && ratio <= 1 ? ratio : 1, followsParent };
}
