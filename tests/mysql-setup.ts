import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import mysql from "mysql2/promise";
import type { TestProject } from "vitest/node";
import { messageOf } from "#domain/errors.ts";
import { findMariadbProgram } from "./mysql-servers/mariadb-program.ts";
import { findMysqlProgram } from "./mysql-servers/mysql-program.ts";
import { type OwnServer, runServer } from "./mysql-servers/run-server.ts";
import { MYSQL_FLAVORS, type MysqlFlavor, MysqlUnavailable } from "./mysql-servers/server-program.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Address where tests request the run's servers: `GET /mysql` or `/mariadb` returns a `MysqlAnswer`. */
    mysqlDeskUrl: string;
    /** Prefix of this run's database names. */
    mysqlPrefix: string;
  }
}

/** URL of a superuser without a password, or the reason why there is none. */
export type MysqlAnswer = { url: string } | { unavailable: string } | { failure: string };

const VARIABLES: Record<MysqlFlavor, string> = { mysql: "TEST_MYSQL_URL", mariadb: "TEST_MARIADB_URL" };

/**
 * Vitest's global setup of the MySQL tests. At the first test that requests it, a server is chosen: that of
 * TEST_MYSQL_URL or TEST_MARIADB_URL (a superuser's URL), or one that is started for the whole run.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const answers = new Map<MysqlFlavor, Promise<MysqlAnswer>>();
  const started: OwnServer[] = [];
  const desk = createServer(async (request, response) => {
    const flavor = MYSQL_FLAVORS.find((known) => request.url === `/${known}`);
    const answer = flavor ? (answers.get(flavor) ?? answerFor(flavor, started)) : null;
    if (flavor && answer) answers.set(flavor, answer);
    const told = (await answer) ?? { failure: `There is no server ${request.url}.` };
    response.setHeader("content-type", "application/json").end(JSON.stringify(told));
  });
  await new Promise<void>((resolve, reject) => {
    desk.once("error", reject);
    desk.listen(0, "127.0.0.1", resolve);
  });
  // MariaDB may open databases whose names begin with "test" to every user.
  const prefix = `db_${randomBytes(4).toString("hex")}_`;
  project.provide("mysqlPrefix", prefix);
  project.provide("mysqlDeskUrl", `http://127.0.0.1:${(desk.address() as AddressInfo).port}`);
  return async () => {
    desk.closeAllConnections();
    await new Promise((resolve) => desk.close(resolve));
    await Promise.allSettled(answers.values());
    await Promise.all(started.map((server) => server.remove()));
    for (const url of Object.values(VARIABLES).map((name) => process.env[name]))
      if (url) await dropDatabases(url, prefix);
  };
}

async function answerFor(flavor: MysqlFlavor, started: OwnServer[]): Promise<MysqlAnswer> {
  const external = process.env[VARIABLES[flavor]];
  if (external) return { url: external };
  try {
    const program = flavor === "mysql" ? await findMysqlProgram((line) => console.log(line)) : findMariadbProgram();
    const server = await runServer(flavor, program);
    started.push(server);
    return { url: server.url };
  } catch (error) {
    if (error instanceof MysqlUnavailable) return { unavailable: `no ${flavor}: ${error.message}` };
    return { failure: messageOf(error) };
  }
}

/** On a server that outlives the run. */
async function dropDatabases(url: string, prefix: string): Promise<void> {
  const server = await mysql.createConnection(url.replace(/^mariadb:/, "mysql:"));
  try {
    const [rows] = await server.query("SELECT schema_name AS name FROM information_schema.schemata");
    const ours = (rows as { name: string }[]).filter(({ name }) => name.startsWith(prefix));
    for (const { name } of ours) await server.query(`DROP DATABASE ${name}`);
  } finally {
    await server.end();
  }
}
