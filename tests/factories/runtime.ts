import type { z } from "zod";
import type { Actor } from "#domain/operator.ts";
import { configSchema } from "#services/config/config-schema.ts";
import type { ServiceContext } from "#services/context.ts";
import { openRuntime, type Runtime } from "#services/runtime.ts";

type ConfigInput = z.input<typeof configSchema>;

/** A runtime over one store called `shop`. Ignores this process' `OUTBOX_EMBEDDED_URL`. */
export function openTestRuntime(url: string, config: Omit<ConfigInput, "stores"> = {}): Runtime {
  const parsed = configSchema.parse({ stores: { shop: { kind: "postgres", url } }, ...config });
  return openRuntime({ config: parsed, applicationName: "outbox-console test", env: {} });
}

/** One outbox on which actions are allowed. */
export function openOperatedRuntime(url: string, table: string, outbox: Record<string, unknown> = {}): Runtime {
  const sinks = { stdout: { kind: "log" as const } };
  return openTestRuntime(url, { sinks, outboxes: { orders: { store: "shop", table, mode: "operate", ...outbox } } });
}

export const OPERATOR: Actor = { name: "olga", role: "operator" };
export const ADMIN: Actor = { name: "ada", role: "admin" };
export const VIEWER: Actor = { name: "vera", role: "viewer" };

export function contextOf(runtime: Runtime, actor: Actor = OPERATOR): ServiceContext {
  return { runtime, actor, requestId: "test" };
}
