import { expect, test } from "vitest";
import type { OwnTable } from "../own-table/own-table.ts";
import { grantsFor } from "./grants.ts";

const room = { family: { table: "shop", attributes: {} }, own: { name: "ours" } as OwnTable };

/** Actions by resource, without what all have in common. */
function granted(...asked: Parameters<typeof grantsFor> extends [unknown, ...infer Rest] ? Rest : never) {
  const { Statement } = JSON.parse(grantsFor(room, ...asked));
  const short = (text: string) => text.replace("arn:aws:dynamodb:*:*:table/", "").replace("dynamodb:", "");
  return Object.fromEntries(
    Statement.flatMap(({ Action, Resource }: { Action: string[]; Resource: string[] }) =>
      Resource.map((resource) => [short(resource), Action.map(short)]),
    ),
  );
}

test("observing reads the team's table and writes nothing", () => {
  expect(granted("observe")).toEqual({
    shop: ["DescribeTable", "DescribeTimeToLive", "GetItem", "BatchGetItem", "Query", "Scan"],
    "shop/index/*": ["DescribeTable", "DescribeTimeToLive", "GetItem", "BatchGetItem", "Query", "Scan"],
    ours: ["GetItem"],
  });
});

test("a relay that polls needs what operators need", () => {
  expect(granted("relay")).toEqual(granted("operate"));
  expect(granted("relay").shop).toContain("ConditionCheckItem");
});

test("a relay that reads the stream may read it besides, and switch it on", () => {
  const stream = granted("relay", { stream: true });
  expect(stream["shop/stream/*"]).toEqual(["DescribeStream", "GetShardIterator", "GetRecords"]);
  expect(stream.shop).toEqual(["UpdateTable"]);
});
