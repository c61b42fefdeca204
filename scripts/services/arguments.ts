import { BROKER_KINDS, type BrokerKind } from "#tests/brokers/broker-kinds.ts";

export type ServicesArguments = { kinds: readonly BrokerKind[]; envFile: string | null };

export const USAGE = `npm run services [-- [${BROKER_KINDS.join("] [")}] [--env <file>]]`;

/** Parses which brokers to start, all by default, and the file for their addresses. Null: invalid arguments. */
export function readArguments(args: string[]): ServicesArguments | null {
  const kinds: BrokerKind[] = [];
  let envFile: string | null = null;
  const rest = [...args];
  while (rest.length > 0) {
    const word = rest.shift() as string;
    const kind = BROKER_KINDS.find((known) => known === word);
    if (kind !== undefined) kinds.push(kind);
    else if (word === "--env" && rest.length > 0) envFile = rest.shift() as string;
    else return null;
  }
  return { kinds: kinds.length === 0 ? BROKER_KINDS : kinds, envFile };
}
