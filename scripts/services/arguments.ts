import { BROKER_KINDS, type BrokerKind } from "#tests/brokers/broker-kinds.ts";
import { MYSQL_FLAVORS, type MysqlFlavor } from "#tests/mysql-servers/server-program.ts";

export type ServiceKind = BrokerKind | MysqlFlavor | "dynamodb";

export type ServicesArguments = { kinds: readonly ServiceKind[]; envFile: string | null };

export const SERVICE_KINDS: readonly ServiceKind[] = [...BROKER_KINDS, ...MYSQL_FLAVORS, "dynamodb"];
export const USAGE = `npm run services [-- [${SERVICE_KINDS.join("] [")}] [--env <file>]]`;

/** Parses which servers to start, all by default, and the file for their addresses. Null: invalid arguments. */
export function readArguments(args: string[]): ServicesArguments | null {
  const kinds: ServiceKind[] = [];
  let envFile: string | null = null;
  const rest = [...args];
  while (rest.length > 0) {
    const word = rest.shift() as string;
    const kind = SERVICE_KINDS.find((known) => known === word);
    if (kind !== undefined) kinds.push(kind);
    else if (word === "--env" && rest.length > 0) envFile = rest.shift() as string;
    else return null;
  }
  return { kinds: kinds.length === 0 ? SERVICE_KINDS : kinds, envFile };
}
