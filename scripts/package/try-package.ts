import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findFreePort } from "../../db/embedded/free-port.ts";
import { ROOT } from "../lib/project.mjs";
import { pack } from "./pack.ts";
import { tryDeployments } from "./try-deployments.ts";

const START_WITHIN_MS = 60_000;

/**
 * `npm run check-package`: packs, installs the package into an empty folder without a registry, and starts the demo
 * from there, over the checkout's Postgres. Then runs all commands in deploy/ with it. Throws at the first failure.
 */
async function tryPackage(): Promise<void> {
  const tarball = await pack();
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-package-"));
  try {
    const options = ["--offline", "--omit=optional", "--no-audit", "--no-fund", "--loglevel=error"];
    execFileSync("npm", ["install", ...options, tarball], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    expect(
      readdirSync(join(folder, "node_modules"))
        .filter((name) => !name.startsWith("."))
        .join(),
      "outbox-console",
    );
    await tryStart(folder);
    chmodSync(folder, 0o755);
    await tryDeployments(join(folder, "node_modules", ".bin", "outbox-console"));
    process.stdout.write("The package installs and starts in an empty folder.\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tryStart(folder: string): Promise<void> {
  const env = cleanEnvironment(String(await findFreePort()), String(await findFreePort()));
  const command = join(folder, "node_modules", ".bin", "outbox-console");
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [command, ...args], { cwd: folder, env, encoding: "utf8" });
  expect(run("help").slice(0, 14), "outbox-console");
  const started = spawn(process.execPath, [command, "start"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await heard(started, "Outbox Console is running");
    expect(run("healthcheck", "console").trim(), `http://127.0.0.1:${env.PORT}/api/health/live is healthy.`);
    expect(run("healthcheck").trim(), `http://127.0.0.1:${env.WORKER_PORT}/livez is healthy.`);
    const pages = await Promise.all(["/", "/messages"].map((path) => fetch(`http://127.0.0.1:${env.PORT}${path}`)));
    expect(pages.map(({ status }) => status).join(), "200,200");
    started.kill("SIGTERM");
    await heard(started, "Stopped.");
  } finally {
    if (started.exitCode === null && started.signalCode === null) {
      started.kill("SIGTERM");
      await once(started, "exit");
    }
  }
}

/** Environment without anything of the checkout except its Postgres. */
function cleanEnvironment(PORT: string, WORKER_PORT: string) {
  const { PATH, HOME, TMPDIR } = process.env;
  return { NODE_ENV: "production" as const, PATH, HOME, TMPDIR, PORT, WORKER_PORT, OUTBOX_PACKAGES_DIR: ROOT };
}

/** Resolves when the process has printed the text; rejects when it ends, or is silent for too long. */
function heard(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = "";
    const late = setTimeout(() => reject(new Error(`It did not say "${text}":\n${said}`)), START_WITHIN_MS);
    child.stdout?.on("data", (chunk) => {
      said += chunk;
      if (!said.includes(text)) return;
      clearTimeout(late);
      resolve();
    });
    child.once("close", () => {
      clearTimeout(late);
      reject(new Error(`It ended:\n${said}`));
    });
  });
}

function expect(found: string, expected: string): void {
  if (found !== expected) throw new Error(`Expected "${expected}", but found "${found}".`);
}

await tryPackage();
