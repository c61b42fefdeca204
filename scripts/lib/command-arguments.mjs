import { parseArgs } from "node:util";
import { commandText, IS_PACKAGE } from "./project.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

/**
 * Purpose and arguments of each command. A command that is missing here has more arguments than fit a line, and checks
 * them itself.
 * @type {Record<string, { does: string, takes?: string, options?: import("node:util").ParseArgsConfig["options"], names?: boolean }>}
 */
const COMMANDS = {
  start: {
    does: "Runs everything on this machine: a demo shop, or what DATABASE_URL or outbox.yaml names.",
    takes: "[--store postgres|mysql] [--verbose]",
    options: { store: { type: "string" }, verbose: { type: "boolean" } },
  },
  console: { does: "Serves pages and API. HOST and PORT say where it listens (127.0.0.1, 3000)." },
  worker: { does: "Runs the relays and the monitor until it is stopped. WORKER_PORT serves /livez and /metrics." },
  migrate: {
    does: "Creates or updates the console's own tables. --cdc also creates publications and slots; --accept-mapping only accepts an outbox's current mapping.",
    takes: "[--cdc] [--accept-mapping OUTBOX]",
    options: { cdc: { type: "boolean" }, "accept-mapping": { type: "string" } },
  },
  doctor: {
    does: "Checks configuration, connections, tables, grants and sinks; changes nothing. --check validates the configuration alone and opens nothing.",
    takes: "[--check]",
    options: { check: { type: "boolean" } },
  },
  "check-payloads": {
    does: "Says whether code about to be deployed can read the messages that wait. The registry is a module of yours; 100,000 messages are read, or the limit.",
    takes: "--registry MODULE [--outbox OUTBOX] [--limit MESSAGES]",
    options: { registry: { type: "string" }, outbox: { type: "string" }, limit: { type: "string" } },
  },
  debezium: {
    does: `Prints the configuration of a connector for an outbox. With --from-relay or --to-relay it says how to change over, and with --yes it does so; otherwise it changes nothing.

  --from-relay     from our relay to the connector
  --to-relay       and back; with --from-slot where Connect has no usable offset
  --yes            really changes over: without it the two only say what they would do
  --slot NAME      uses another slot name than debezium_OUTBOX; in MySQL and MariaDB, which have no slots, another name for the recorded position`,
    takes: "OUTBOX [--from-relay | --to-relay [--from-slot]] [--slot NAME] [--yes]",
    options: {
      "from-relay": { type: "boolean" },
      "to-relay": { type: "boolean" },
      "from-slot": { type: "boolean" },
      yes: { type: "boolean" },
      slot: { type: "string" },
    },
    names: true,
  },
  services: {
    does: "Starts brokers and databases for tests, all that this machine has or those that are named, until Ctrl-C. --env writes their addresses into a file.",
    takes: "[kafka] [rabbitmq] [nats] [redis] [mysql] [mariadb] [dynamodb] [--env FILE]",
    options: { env: { type: "string" } },
    names: true,
  },
  test: {
    does: "Runs the tests: all, those of one part, or those of it whose file name contains a word. TEST_DEPTH=all also runs those that largely repeat another one.",
    takes: "[unit|db|broker|incidents|e2e] [WORD ...]",
  },
  verify: {
    does: "Checks format, types, imports, migrations and documents, and runs the unit tests. --no-tests leaves those out.",
    takes: "[--no-tests]",
    options: { "no-tests": { type: "boolean" } },
  },
  "hash-password": { does: "Reads a password from the terminal or a pipe and prints its hash for outbox.yaml." },
  demo: { does: "Runs the demo shop alone, with the variables that start sets." },
  build: { does: "Builds the console, if its sources have changed." },
  shapes: { does: "Prints which libraries' tables are known, as docs/libraries.md." },
  site: { does: "Builds the documentation as a site into site/dist." },
  screens: { does: "Takes the pictures of docs/images, in a quarter of an hour." },
  pack: { does: "Packs dist/outbox-console-<version>.tgz." },
  "check-package": {
    does: "Packs, installs the package into an empty folder, and starts it and everything in deploy/.",
  },
  incidents: {
    does: "Produces known incidents with real processes and checks that every surface shows one diagnosis: all, or those whose name contains a word.",
    takes: "[--list] [--no-browser] [WORD ...]",
    options: { list: { type: "boolean" }, browser: { type: "boolean" } },
    names: true,
  },
};

const ASKS = new Set(["--help", "-h"]);

/**
 * The help that the arguments ask for, or null. Needs no packages, and nothing is installed or built for it.
 * @param {string} command
 * @param {string[]} args
 */
export function helpAskedFor(command, args) {
  const known = Object.hasOwn(COMMANDS, command);
  return known && args.some((word) => ASKS.has(word)) ? `${usage(command)}\n\n${COMMANDS[command].does}\n` : null;
}

/**
 * Refuses arguments that the command does not take, before anything is installed, built or opened for it.
 * @param {string} command
 * @param {string[]} args
 */
export function refuseUnknown(command, args) {
  if (!Object.hasOwn(COMMANDS, command)) return;
  const { options = {}, names = false } = COMMANDS[command];
  try {
    parseArgs({ args, options, allowPositionals: names, allowNegative: true });
  } catch (error) {
    if (!String(error?.code).startsWith("ERR_PARSE_ARGS_")) throw error;
    const [sentence] = error.message.split(/(?<=['a-z])\. /);
    throw new Sentence(`${sentence.replace(/\.?$/, ".")}\n${usage(command)}`);
  }
}

/** @param {string} command */
function usage(command) {
  const { takes } = COMMANDS[command];
  if (takes === undefined) return `${commandText(command)} takes no arguments.`;
  return `Usage: ${commandText(command)} ${IS_PACKAGE ? "" : "-- "}${takes}`;
}
