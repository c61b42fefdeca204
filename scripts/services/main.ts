import { rm, writeFile } from "node:fs/promises";
import { messageOf } from "#domain/errors.ts";
import { readArguments, type ServiceKind, USAGE } from "./arguments.ts";
import { bringUp, isUnavailable, type Service } from "./bring-up.ts";

/** npm also forwards a Ctrl-C that the terminal has sent: two signals within this time, in ms, are one request. */
const SAME_WISH_MS = 500;
const LOOK_EVERY_MS = 1_000;

const found: Service[] = [];
let starting: Promise<unknown> = Promise.resolve();
let stoppingSince = 0;
let envFile: string | null = null;

process.exitCode = await main(process.argv.slice(2));

/**
 * `npm run services`: starts the brokers and databases that are available here, prints their addresses, and stops them
 * on Ctrl-C.
 */
async function main(args: string[]): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(`Usage: ${USAGE}`);
    return 0;
  }
  const wanted = readArguments(args);
  if (wanted === null) {
    console.error(`Usage: ${USAGE}`);
    return 1;
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, onSignal);
  starting = Promise.all(wanted.kinds.map(start));
  await starting;
  if (stoppingSince > 0) return 0;
  if (found.length === 0) {
    console.error("\nNo server is available here.");
    return 1;
  }
  const lines = found.map(({ variable, url }) => `${variable}=${url}`);
  envFile = wanted.envFile;
  if (envFile !== null) await writeFile(envFile, `${lines.join("\n")}\n`);
  console.log(`\nFor tests in another terminal:\n${lines.map((line) => `  export ${line}`).join("\n")}`);
  console.log("\nCtrl-C stops what was started here.");
  watch();
  return 0;
}

async function start(kind: ServiceKind): Promise<void> {
  try {
    const one = await bringUp(kind);
    found.push(one);
    console.log(`${kind.padEnd(9)} ${(one.version ?? "").padEnd(8)} ${one.url}  (${one.from})`);
  } catch (error) {
    const reason = messageOf(error);
    console.log(`${kind.padEnd(9)} ${isUnavailable(error) ? "not here" : "failed"}: ${reason}`);
  }
}

/** Also keeps this process alive. */
function watch(): void {
  const reported = new Set<ServiceKind>();
  setInterval(() => {
    for (const { kind, own } of found) {
      if (stoppingSince > 0 || own === null || own.isRunning() || reported.has(kind)) continue;
      reported.add(kind);
      console.error(`${kind} has exited; its log is in ${own.folder}`);
    }
  }, LOOK_EVERY_MS);
}

function onSignal(): void {
  if (stoppingSince === 0) {
    stoppingSince = Date.now();
    void stopAll();
  } else if (Date.now() - stoppingSince > SAME_WISH_MS) {
    process.exit(1);
  }
}

async function stopAll(): Promise<void> {
  await starting;
  const results = await Promise.allSettled(found.map(({ own }) => own?.remove()));
  if (envFile !== null) await rm(envFile, { force: true });
  for (const result of results) if (result.status === "rejected") console.error(String(result.reason));
  console.log("Stopped.");
  process.exit(results.some(({ status }) => status === "rejected") ? 1 : 0);
}
