import { configSchema } from "#services/config/config-schema.ts";
import type { RouteConfig } from "#services/config/route-schema.ts";
import type { HttpSinkConfig } from "#services/config/sinks/http-sink-schema.ts";
import { createRouter } from "../../routing/create-router.ts";
import type { Router } from "../../routing/router.ts";
import type { Sink } from "../sink.ts";
import { createHttpSink } from "./http-sink.ts";

/** A sink as `outbox.yaml` would open it, with short waits. */
export function openTestSink(
  settings: Partial<HttpSinkConfig> & { url: string },
  route: Partial<RouteConfig> = {},
  { concurrency = 8, timeout = "300ms" }: { concurrency?: number; timeout?: string } = {},
): Sink {
  const { sinks } = configSchema.parse({
    sinks: { hook: { kind: "http", timeout, connectTimeout: "1s", ...settings } },
  });
  const config = sinks.hook;
  if (config?.kind !== "http") throw new Error("expected an http sink");
  return createHttpSink({ config, concurrency, route: testRoute(route) });
}

/** For answers that a busy machine may delay. */
export function openPatientSink(settings: Partial<HttpSinkConfig> & { url: string }): Sink {
  return openTestSink(settings, {}, { timeout: "30s" });
}

export function testRoute(route: Partial<RouteConfig> = {}): Router {
  const { outboxes } = configSchema.parse({
    stores: { shop: { kind: "postgres", url: "postgres://localhost/shop" } },
    outboxes: { orders: { store: "shop", table: "t", mode: "relay", relay: { sink: "hook", route } } },
    sinks: { hook: { kind: "http", url: "http://localhost", batch: 2 } },
  });
  const config = outboxes.orders?.relay?.route;
  if (!config) throw new Error("expected the outbox to have a route");
  return createRouter({ config, outbox: "orders", sinkKind: "http" });
}
