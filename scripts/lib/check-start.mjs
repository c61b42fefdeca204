import { findNode } from "./find-node.mjs";
import { commandText, isConfigured, namesDatabases, programPath } from "./project.mjs";
import { captureCommand } from "./run-command.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/**
 * Refuses a HOST that others can reach if there is no configuration file, and so no password. Needs no packages.
 * @param {{ host: string }} address
 * @param {Record<string, string | undefined>} [env]
 */
export function refuseOpenHost({ host }, env = process.env) {
  if (LOOPBACK.test(host) || isConfigured(env)) return;
  throw new Sentence(
    `HOST is ${host}, which others can reach, and there is no outbox.yaml with a password. ` +
      `Set auth: { mode: password, ... } there (${commandText("hash-password")} makes the hashes), or HOST=127.0.0.1.`,
  );
}

/**
 * Validates the configuration as the console will, so that its problems are reported before the build.
 * @param {{ host: string }} address
 */
export async function checkConfiguration({ host }) {
  if (!namesDatabases()) return;
  const check = programPath("services/config/check-start-cli.ts");
  const { code, output } = await captureCommand(findNode(), [check], { env: { HOST: host } });
  if (code !== 0) throw new Sentence(output.trim());
}

/**
 * Checks the server that the demo is to use, so that a problem is reported before the build.
 * @param {import("./start-arguments.mjs").DemoStore} store
 */
export async function checkDemoStore(store) {
  if (store.kind === "postgres") return;
  const env = { DEMO_DATABASE_URL: store.url };
  const { code, output } = await captureCommand(findNode(), [programPath("demo/check-server.ts")], { env });
  if (code !== 0) throw new Sentence(output.trim());
}
