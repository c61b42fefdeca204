import { BrokerUnavailable } from "#tests/brokers/broker.ts";
import { URL_VARIABLES } from "#tests/brokers/broker-kinds.ts";
import { findBroker } from "#tests/brokers/find-broker.ts";
import { DynamodbUnavailable, runDynamodb } from "#tests/dynamodb/run-dynamodb.ts";
import { findMariadbProgram } from "#tests/mysql-servers/mariadb-program.ts";
import { findMysqlProgram } from "#tests/mysql-servers/mysql-program.ts";
import { runServer } from "#tests/mysql-servers/run-server.ts";
import { type MysqlFlavor, MysqlUnavailable } from "#tests/mysql-servers/server-program.ts";
import type { ServiceKind } from "./arguments.ts";

export interface Service {
  kind: ServiceKind;
  url: string;
  /** Environment variable that passes its address to the tests. */
  variable: string;
  version: string | null;
  /** Its origin, as text. */
  from: string;
  /** Null if it was already running, because we must not stop it. */
  own: { folder: string; isRunning(): boolean; remove(): Promise<void> } | null;
}

const say = (sentence: string) => console.log(sentence);

/** A running server, or a new one. Throws an error for which `isUnavailable` holds if neither is possible. */
export async function bringUp(kind: ServiceKind): Promise<Service> {
  if (kind === "mysql" || kind === "mariadb") return startDatabase(kind);
  if (kind === "dynamodb") return startDynamodb();
  const { broker, own } = await findBroker(kind, { onProgress: say });
  const { url, version, foundBy } = broker;
  const from = own === null ? `was there already, found by ${foundBy}` : `started, from ${foundBy}`;
  return { kind, url, variable: URL_VARIABLES[kind], version, from, own };
}

async function startDatabase(kind: MysqlFlavor): Promise<Service> {
  const program = kind === "mysql" ? await findMysqlProgram(say) : findMariadbProgram();
  const own = await runServer(kind, program);
  return { kind, url: own.url, variable: `TEST_${kind.toUpperCase()}_URL`, version: null, from: "started", own };
}

async function startDynamodb(): Promise<Service> {
  const own = await runDynamodb();
  return { kind: "dynamodb", url: own.url, variable: "TEST_DYNAMODB_URL", version: null, from: "started", own };
}

export function isUnavailable(error: unknown): boolean {
  return [BrokerUnavailable, MysqlUnavailable, DynamodbUnavailable].some((kind) => error instanceof kind);
}
