import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findFreePort } from "../../db/embedded/free-port.ts";
import { serverArgs } from "../lib/server-args.mjs";
import { databaseUrl } from "./databases.ts";
import type { ChildPlan } from "./managed-child.ts";

/** `demo` shows our example shop; `own` shows the databases that DATABASE_URL or outbox.yaml name. */
export type Mode = "demo" | "own";

export function chooseMode(root: string): Mode {
  const named = process.env.DATABASE_URL || process.env.OUTBOX_CONFIG || existsSync(join(root, "outbox.yaml"));
  return named ? "own" : "demo";
}

export function databasesOf(mode: Mode): string[] {
  return mode === "demo" ? ["shop", "outbox_console"] : ["outbox_console"];
}

/** The children in their start order; they stop in reverse. */
export async function planChildren(options: {
  root: string;
  mode: Mode;
  embeddedUrl: string;
  runFile: string;
  listen: { host: string; port: number };
}): Promise<{ demo: ChildPlan | null; worker: ChildPlan; console: ChildPlan }> {
  const { root, mode, embeddedUrl, listen } = options;
  const env = {
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    OUTBOX_EMBEDDED_URL: databaseUrl(embeddedUrl, "outbox_console"),
    OUTBOX_RUN_FILE: options.runFile,
    HOST: listen.host,
    PORT: String(listen.port),
    ...(mode === "demo" ? await demoEnv(root, embeddedUrl) : {}),
  };
  return {
    demo: mode === "demo" ? { name: "demo", args: [join(root, "demo", "main.ts")], env, stopWithinMs: 5_000 } : null,
    worker: {
      name: "worker",
      args: [join(root, "scripts", "worker.ts")],
      env,
      stopWithinMs: 12_000,
      ...(mode === "demo" ? { holdFile: join(dirname(options.runFile), "worker.hold") } : {}),
    },
    console: {
      name: "console",
      args: serverArgs(root),
      env,
      stopWithinMs: 3_000,
    },
  };
}

async function demoEnv(root: string, embeddedUrl: string): Promise<Record<string, string>> {
  const [gateway, control] = await Promise.all([findFreePort(), findFreePort()]);
  return {
    OUTBOX_CONFIG: join(root, "demo", "outbox.yaml"),
    DEMO_DATABASE_URL: databaseUrl(embeddedUrl, "shop"),
    DEMO_GATEWAY_PORT: String(gateway),
    DEMO_CONTROL_PORT: String(control),
  };
}
