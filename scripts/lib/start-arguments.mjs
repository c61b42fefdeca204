import { parseArgs } from "node:util";
import { refuseUnknown } from "./command-arguments.mjs";
import { namesDatabases } from "./project.mjs";
import { Sentence } from "./stop-with-sentence.mjs";

/** The demo's own database on the server of MYSQL_URL. */
const DEMO_DATABASE = "outbox_console_demo";

/**
 * @typedef {{ kind: "postgres" } | { kind: "mysql", url: string }} DemoStore where the demo shop writes: the embedded
 * Postgres, or a separate database on a MySQL or MariaDB server
 */

/**
 * The arguments of `npm start`. Needs no packages.
 * @param {string[]} args
 * @param {Record<string, string | undefined>} [env]
 * @returns {{ verbose: boolean, demoStore: DemoStore }}
 */
export function readStartArguments(args, env = process.env) {
  const { verbose = false, store } = parse(args);
  if (store === undefined) return { verbose, demoStore: { kind: "postgres" } };
  if (namesDatabases(env)) {
    throw new Sentence(
      "--store says where the demo shop writes, and no demo is shown here: DATABASE_URL, OUTBOX_CONFIG or outbox.yaml " +
        "names databases of yours. Leave out one of the two.",
    );
  }
  if (store === "postgres") return { verbose, demoStore: { kind: "postgres" } };
  if (store !== "mysql")
    throw new Sentence(`--store ${store} is not known. The demo shop can write to postgres or mysql.`);
  return { verbose, demoStore: { kind: "mysql", url: demoUrl(env.MYSQL_URL) } };
}

/** @param {string[]} args */
function parse(args) {
  refuseUnknown("start", args);
  return parseArgs({ args, options: { verbose: { type: "boolean" }, store: { type: "string" } } }).values;
}

/** @param {string | undefined} serverUrl */
function demoUrl(serverUrl) {
  if (!serverUrl) {
    throw new Sentence(
      "--store mysql needs a server: set MYSQL_URL to one of MySQL 8 or MariaDB 10.6 or later, " +
        `e.g. MYSQL_URL=mysql://root@127.0.0.1:3306/. The demo creates the database ${DEMO_DATABASE} there and uses no other.`,
    );
  }
  if (!URL.canParse(serverUrl) || !/^(mysql|mariadb):$/.test(new URL(serverUrl).protocol)) {
    throw new Sentence(
      "MYSQL_URL must be a URL such as mysql://user:password@host:3306/, with @ : / ? # % in the user name or password percent-encoded.",
    );
  }
  const url = new URL(serverUrl);
  url.pathname = `/${DEMO_DATABASE}`;
  return url.toString();
}
