import { checkConfiguration, refuseOpenHost } from "./check-start.mjs";
import { helpAskedFor, refuseUnknown } from "./command-arguments.mjs";
import { ensureBuilt, isBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { findNode } from "./find-node.mjs";
import { listenAddress, refuseTakenPort } from "./listen-address.mjs";
import { loadEnvFile, programPath, ROOT } from "./project.mjs";
import { passOn, runCommand, stopCommands } from "./run-command.mjs";
import { serverArgs } from "./server-args.mjs";
import { Sentence } from "./stop-with-sentence.mjs";
import { watchNpm } from "./watch-parent.mjs";

/** Programs that are also in the package. */
export const PROGRAMS = {
  worker: "scripts/worker.ts",
  migrate: "services/migrate/migrate-cli.ts",
  doctor: "scripts/doctor.ts",
  debezium: "scripts/debezium.ts",
  "check-payloads": "scripts/payloads.ts",
  "hash-password": "services/auth/hash-password-cli.ts",
  demo: "demo/main.ts",
};

const ENTRIES = {
  ...PROGRAMS,
  bench: "bench/main.ts",
  chaos: "chaos/main.ts",
  incidents: "incidents/main.ts",
  services: "scripts/services/main.ts",
  shapes: "scripts/shapes.ts",
  site: "scripts/site/main.ts",
  screens: "scripts/screens.ts",
  pack: "scripts/package/pack.ts",
  "check-package": "scripts/package/try-package.ts",
};

const NEEDS_BUILD = ["incidents", "pack", "check-package", "screens"];
const NEEDS_DEVELOPMENT = ["bench", "chaos", ...NEEDS_BUILD];

/**
 * `npm run <command>`: installs packages and builds if the command needs it, then runs the command's program.
 * @param {string[]} argv the command and its arguments
 * @returns {Promise<number>} exit code
 */
export async function run([command, ...args]) {
  const help = helpAskedFor(command, args);
  if (help !== null) {
    process.stdout.write(help);
    return 0;
  }
  refuseUnknown(command, args);
  loadEnvFile();
  let wished = false;
  const stop = (signal) => {
    wished = true;
    stopCommands(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => stop(signal));
  // SIGHUP from a closed terminal means "stop"; from a service manager it means "read the configuration again".
  process.on("SIGHUP", () => (process.stdin.isTTY ? stop("SIGTERM") : passOn("SIGHUP")));
  // A second signal ends a worker at once. npm's exit after a signal must not count as the second one.
  watchNpm(() => wished || stop("SIGTERM"));
  if (command === "console") return runConsole();
  if (command === "build") {
    await ensureInstalled();
    await ensureBuilt();
    return 0;
  }
  const entry = ENTRIES[command];
  if (entry === undefined) {
    throw new Sentence(`Say what to run: ${["console", "build", ...Object.keys(ENTRIES)].join(", ")}.`);
  }
  await ensureInstalled({ dev: NEEDS_DEVELOPMENT.includes(command) });
  if (NEEDS_BUILD.includes(command)) await ensureBuilt();
  return runCommand(findNode(), [programPath(entry), ...args]);
}

async function runConsole() {
  const address = listenAddress();
  refuseOpenHost(address);
  await refuseTakenPort(address);
  await ensureInstalled({ dev: !isBuilt() && !isProductionImage() });
  await checkConfiguration(address);
  await ensureBuilt();
  const env = { HOST: address.host, PORT: String(address.port), NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" };
  return runCommand(findNode(), serverArgs(ROOT), { env });
}

/** True in a production image, which leaves out the development packages on purpose. */
function isProductionImage() {
  return process.env.NODE_ENV === "production";
}
