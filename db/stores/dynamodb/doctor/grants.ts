import type { AccessMode } from "../../port/store.ts";
import type { Room } from "../room.ts";

const READS = ["DescribeTable", "DescribeTimeToLive", "GetItem", "BatchGetItem", "Query", "Scan"];
const WRITES = ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"];
const STREAM_READS = ["DescribeStream", "GetShardIterator", "GetRecords"];

/**
 * The policy that a mode needs, as JSON; the account is left open. A transaction needs the actions of its parts. Mode
 * relay needs what operate does, and with `stream` to read the table's stream: `npm run migrate -- --cdc` switches it
 * on.
 */
export function grantsFor(
  { family, own }: Pick<Room, "family" | "own">,
  mode: AccessMode,
  { stream = false }: { stream?: boolean } = {},
): string {
  const table = (name: string) => `arn:aws:dynamodb:*:*:table/${name}`;
  const withIndexes = (name: string) => [table(name), `${table(name)}/index/*`];
  const allow = (actions: readonly string[], resources: readonly string[]) => ({
    Effect: "Allow",
    Action: actions.map((action) => `dynamodb:${action}`),
    Resource: resources,
  });
  const statements =
    mode === "observe"
      ? [allow(READS, withIndexes(family.table)), allow(["GetItem"], [table(own.name)])]
      : [
          allow([...READS, ...WRITES], withIndexes(family.table)),
          allow([...READS, ...WRITES, "CreateTable"], [table(own.name)]),
          ...(stream
            ? [allow(STREAM_READS, [`${table(family.table)}/stream/*`]), allow(["UpdateTable"], [table(family.table)])]
            : []),
        ];
  return JSON.stringify({ Version: "2012-10-17", Statement: statements });
}
