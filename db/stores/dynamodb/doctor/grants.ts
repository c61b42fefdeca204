import type { AccessMode } from "../../port/store.ts";
import type { Room } from "../room.ts";

const READS = ["DescribeTable", "DescribeTimeToLive", "GetItem", "BatchGetItem", "Query", "Scan"];
const WRITES = ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheckItem"];

/** The policy that a mode needs, as JSON; the account is left open. */
export function grantsFor({ family, own }: Pick<Room, "family" | "own">, mode: AccessMode): string {
  const arn = (table: string) => [`arn:aws:dynamodb:*:*:table/${table}`, `arn:aws:dynamodb:*:*:table/${table}/index/*`];
  const allow = (actions: readonly string[], resources: readonly string[]) => ({
    Effect: "Allow",
    Action: actions.map((action) => `dynamodb:${action}`),
    Resource: resources,
  });
  const statements =
    mode === "observe"
      ? [allow(READS, arn(family.table))]
      : [
          allow([...READS, ...WRITES], arn(family.table)),
          allow([...READS, ...WRITES, "CreateTable"], arn(own.name).slice(0, 1)),
        ];
  return JSON.stringify({ Version: "2012-10-17", Statement: statements });
}
