import type { Target } from "../target.ts";
import type { Contender, ContenderName } from "./contender.ts";
import { dynamodbLimit } from "./dynamodb-limit.ts";
import { dynamodbRelay, dynamodbRelayCdc } from "./dynamodb-relay.ts";
import { dynamodbTutorial } from "./dynamodb-tutorial.ts";
import { limit } from "./limit.ts";
import { limitCdc } from "./limit-cdc.ts";
import { mysqlLimit } from "./mysql-limit.ts";
import { mysqlRelay, mysqlRelayCdc } from "./mysql-relay.ts";
import { mysqlTutorial } from "./mysql-tutorial.ts";
import { connectRelay, connectRelayCdc, connectRelayUnmarked, relay, relayCdc, relayCdcUnmarked } from "./relay.ts";
import { tutorial } from "./tutorial.ts";

/** Runs a contender in a separate process, so that its CPU time can be measured. */
export type ContenderCommand =
  | { kind: "start"; name: ContenderName; url: string; target: Target; instance: number }
  | { kind: "usage" }
  | { kind: "stop" };
export type ContenderReport =
  | { kind: "loaded" }
  | { kind: "started" }
  /** CPU time since it was loaded, µs. */
  | { kind: "usage"; cpuMicros: number }
  | { kind: "stopped" };

const KNOWN: Record<ContenderName, Contender> = {
  ...{ limit, "limit-cdc": limitCdc, relay, "relay-cdc": relayCdc, "relay-cdc-unmarked": relayCdcUnmarked, tutorial },
  ...{
    "connect-relay": connectRelay,
    "connect-relay-cdc": connectRelayCdc,
    "connect-relay-unmarked": connectRelayUnmarked,
  },
  ...{
    "mysql-limit": mysqlLimit,
    "mysql-relay": mysqlRelay,
    "mysql-relay-cdc": mysqlRelayCdc,
    "mysql-tutorial": mysqlTutorial,
  },
  ...{
    "dynamodb-limit": dynamodbLimit,
    "dynamodb-relay": dynamodbRelay,
    "dynamodb-relay-cdc": dynamodbRelayCdc,
    "dynamodb-tutorial": dynamodbTutorial,
  },
};
let running: { stop(): Promise<void> } | undefined;
const loaded = process.cpuUsage();
const tell = (report: ContenderReport) => process.send?.(report);

async function obey(command: ContenderCommand): Promise<void> {
  if (command.kind === "start") {
    running = await KNOWN[command.name].start(command);
    tell({ kind: "started" });
  } else if (command.kind === "usage") {
    const { user, system } = process.cpuUsage(loaded);
    tell({ kind: "usage", cpuMicros: user + system });
  } else {
    await running?.stop();
    tell({ kind: "stopped" });
    process.disconnect();
  }
}

process.on("message", (command: ContenderCommand) => {
  obey(command).catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
});
tell({ kind: "loaded" });
