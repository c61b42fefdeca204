import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { findFreePort } from "../../db/embedded/free-port.ts";
import { isConfigured, namesDatabases, programPath, ROOT } from "../lib/project.mjs";
import { serverArgs } from "../lib/server-args.mjs";
import type { DemoStore } from "../lib/start-arguments.mjs";
import { databaseUrl } from "./databases.ts";
import type { ChildPlan } from "./managed-child.ts";

/** `demo` shows our example shop; `own` shows the databases that DATABASE_URL or outbox.yaml name. */
export type Mode = "demo" | "own";

export function chooseMode(): Mode {
  return namesDatabases() ? "own" : "demo";
}

interface Named {
  databaseUrl: string | undefined;
  /** True where outbox.yaml or variables of its settings exist. */
  configured: boolean;
}

/** The databases to create in the embedded Postgres, the console's own first. */
export function databasesOf(
  mode: Mode,
  { kind }: Pick<DemoStore, "kind">,
  named: Named = { databaseUrl: process.env.DATABASE_URL, configured: isConfigured() },
): [console: string, ...others: string[]] {
  if (mode === "own") return [recordsOf(named)];
  // Separate databases for the two tours: both have an outbox `orders`, and their samples would mix.
  return kind === "postgres" ? ["outbox_console", "shop"] : ["outbox_console_mysql"];
}

/**
 * A database of records for each that DATABASE_URL alone names, by its address: its store is always called `default`,
 * so tables and samples of another would pass for its own. In outbox.yaml the stores have names.
 */
function recordsOf({ databaseUrl: url, configured }: Named): string {
  if (!url || configured) return "outbox_console";
  const { host, pathname } = URL.canParse(url) ? new URL(url) : { host: url, pathname: "" };
  const address = createHash("sha256").update(`${host.toLowerCase()}${pathname}`);
  return `outbox_console_${address.digest("hex").slice(0, 12)}`;
}

/** The children in their start order; they stop in reverse. */
export async function planChildren(options: {
  mode: Mode;
  demoStore: DemoStore;
  embeddedUrl: string;
  runFile: string;
  listen: { host: string; port: number };
}): Promise<{ demo: ChildPlan | null; worker: ChildPlan; console: ChildPlan }> {
  const { mode, demoStore, embeddedUrl, listen } = options;
  const [consoleDatabase] = databasesOf(mode, demoStore);
  const env = {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    // The supervisor reads its children's lines.
    LOG_FORMAT: "json",
    OUTBOX_EMBEDDED_URL: databaseUrl(embeddedUrl, consoleDatabase),
    OUTBOX_RUN_FILE: options.runFile,
    HOST: listen.host,
    PORT: String(listen.port),
    ...(mode === "demo" ? await demoEnv(options) : {}),
  };
  return {
    demo: mode === "demo" ? { name: "demo", args: [programPath("demo/main.ts")], env, stopWithinMs: 5_000 } : null,
    worker: {
      name: "worker",
      args: [programPath("scripts/worker.ts")],
      env,
      stopWithinMs: 12_000,
      ...(mode === "demo" ? { holdFile: join(dirname(options.runFile), "worker.hold") } : {}),
    },
    console: {
      name: "console",
      args: serverArgs(ROOT),
      env,
      stopWithinMs: 3_000,
    },
  };
}

async function demoEnv({
  demoStore,
  embeddedUrl,
}: {
  demoStore: DemoStore;
  embeddedUrl: string;
}): Promise<Record<string, string>> {
  const [gateway, control] = await Promise.all([findFreePort(), findFreePort()]);
  return {
    OUTBOX_CONFIG: join(ROOT, "demo", demoConfig(demoStore)),
    DEMO_DATABASE_URL: demoStore.kind === "mysql" ? demoStore.url : databaseUrl(embeddedUrl, "shop"),
    DEMO_GATEWAY_PORT: String(gateway),
    DEMO_CONTROL_PORT: String(control),
  };
}

/** The consumers behind RabbitMQ write to Postgres only. */
function demoConfig({ kind }: DemoStore): string {
  if (kind === "mysql") return "outbox-mysql.yaml";
  return process.env.DEMO_RABBITMQ_URL ? "outbox-rabbitmq.yaml" : "outbox.yaml";
}
