import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadEnvFile, ROOT } from "./project.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

const HELP = `outbox-console <command>

  start            everything at once: a demo shop, or what DATABASE_URL or outbox.yaml names
  console          pages and API, on HOST (127.0.0.1) and PORT (3000)
  worker           relays and monitor
  migrate          creates or updates the console's own tables
  doctor           checks configuration, connections, tables, permissions and sinks; changes nothing
  debezium         prints a connector's configuration for an outbox, or changes over to it and back
  check-payloads   whether code about to be deployed can read the messages that wait
  healthcheck      asks the running console or worker; exit code 0 if it is healthy, else 1
  hash-password    reads a password, prints its hash for outbox.yaml
  demo             the demo shop alone; start runs it as well
  version, help

The configuration is ./outbox.yaml, the file of OUTBOX_CONFIG, the text of OUTBOX_CONFIG_YAML, or DATABASE_URL alone.
doctor --check validates it and opens nothing.
`;

const RUN = ["console", "worker", "migrate", "doctor", "debezium", "check-payloads", "hash-password", "demo"];

/**
 * The command `outbox-console`, of the package and of the image.
 * @param {string[]} argv the subcommand and its arguments
 * @returns {Promise<number>} exit code
 */
export async function runCli([command = "help", ...args]) {
  // The programs run in the user's folder and find their own files here.
  process.env.OUTBOX_PROGRAM_DIR = ROOT;
  if (RUN.includes(command)) return (await import("./run.mjs")).run([command, ...args]);
  if (command === "start") return (await import("./start.mjs")).start(args);
  if (command === "healthcheck") {
    loadEnvFile();
    return (await import("./healthcheck.mjs")).healthcheck(args);
  }
  if (["version", "--version", "-v"].includes(command)) return print(`${readVersion()}\n`);
  if (["help", "--help", "-h"].includes(command)) return print(HELP);
  throw new Sentence(`There is no command "${command}". outbox-console help lists them.`);
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text);
  return 0;
}

function readVersion() {
  return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
}
