import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { checkConfiguration, checkDemoStore, refuseOpenHost } from "./check-start.mjs";
import { helpAskedFor } from "./command-arguments.mjs";
import { ensureBuilt } from "./ensure-built.mjs";
import { ensureInstalled } from "./ensure-installed.mjs";
import { ensurePostgres } from "./ensure-postgres.mjs";
import { findNode } from "./find-node.mjs";
import { listenAddress, refuseTakenPort } from "./listen-address.mjs";
import { dataFolder, FOLDER, loadEnvFile, programPath } from "./project.mjs";
import { stopCommands } from "./run-command.mjs";
import { takeRunFile } from "./run-file.mjs";
import { readStartArguments } from "./start-arguments.mjs";
import { outliveTerminal, watchNpm } from "./watch-parent.mjs";

/**
 * `npm start`: installs, builds, and hands over to the supervisor, which needs the newer Node that the install brings.
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function start(args) {
  const help = helpAskedFor("start", args);
  if (help !== null) {
    process.stdout.write(help);
    return 0;
  }
  outliveTerminal();
  loadEnvFile();
  const { demoStore } = readStartArguments(args);
  const address = listenAddress();
  refuseOpenHost(address);
  const runFile = await takeRunFile(dataFolder(), address.url);
  const state = { stopping: false, supervisor: null };
  const onSignal = () => {
    state.stopping = true;
    stopCommands();
    state.supervisor?.kill("SIGTERM");
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, onSignal);
  watchNpm(onSignal);
  try {
    await refuseTakenPort(address);
    await ensureInstalled();
    await ensurePostgres();
    if (state.stopping) return 0;
    await checkConfiguration(address);
    await checkDemoStore(demoStore);
    await ensureBuilt();
    if (state.stopping) return 0;
    return await supervise({ runFile, args, state });
  } catch (error) {
    // A signal makes npm or the build fail; that is not an error to report.
    if (state.stopping) return 0;
    throw error;
  } finally {
    rmSync(runFile, { force: true });
  }
}

/** The channel between the two notifies the supervisor when this process dies, even by kill -9. */
function supervise({ runFile, args, state }) {
  state.supervisor = spawn(findNode(), [programPath("scripts/supervisor/main.ts"), ...args], {
    cwd: FOLDER,
    env: { ...process.env, OUTBOX_RUN_FILE: runFile },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    state.supervisor.once("error", reject);
    state.supervisor.once("exit", (code) => resolve(code ?? 1));
  });
}
