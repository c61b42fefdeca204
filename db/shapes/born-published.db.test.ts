import { expect, test } from "vitest";
import { discovery } from "./discovery.fixture.ts";
import { recogniseOutbox } from "./recognise.ts";
import { isCurrentTime } from "./warnings-of.ts";

const { catalogOf } = discovery();

async function warningsFor(publishedAt: string): Promise<string> {
  const tables = await catalogOf(
    `CREATE TABLE outbox (id uuid PRIMARY KEY, aggregate_id text, event_type text NOT NULL, payload jsonb NOT NULL,
       created_at timestamptz NOT NULL DEFAULT now(), published_at ${publishedAt})`,
  );
  const [table] = tables;
  if (!table) throw new Error("no table");
  const overrides = {
    ...{ columns: { publishedAt: "published_at" }, timeZone: "UTC" },
    lifecycle: { kind: publishedAt.startsWith("boolean") ? "flag" : "timestamp" } as const,
  };
  const found = recogniseOutbox(table, tables, overrides);
  if ("problem" in found) throw new Error(found.problem);
  return found.warnings.join(" ");
}

test.each([
  "timestamptz DEFAULT now()",
  "timestamptz DEFAULT CURRENT_TIMESTAMP",
  "timestamp DEFAULT clock_timestamp()",
  "boolean DEFAULT true",
])("a published mark that is %s marks each new row before it was sent", async (column) => {
  expect(await warningsFor(column)).toMatch(/published_at of public\.outbox has the default .* nobody sends them/);
});

test.each(["timestamptz", "timestamptz DEFAULT NULL", "timestamptz DEFAULT '0001-01-01'", "boolean DEFAULT false"])(
  "one that is %s does not",
  async (column) => {
    expect(await warningsFor(column)).not.toContain("has the default");
  },
);

test.each([
  ["CURRENT_TIMESTAMP(6)", true],
  ["current_timestamp()", true],
  ["utc_timestamp()", true],
  ["'0001-01-01 00:00:00'", false],
  ["NULL", false],
  ["(now() + interval 100 year)", false],
])("MySQL's and MariaDB's default %s is the current time: %s", (sql, expected) => {
  expect(isCurrentTime(sql)).toBe(expected);
});
