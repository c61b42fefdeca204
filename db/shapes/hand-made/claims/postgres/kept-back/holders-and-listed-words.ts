import { stated } from "../../../states/stated-table.ts";
import { type ClaimedTable, claimed } from "../../claimed-table.ts";

const EVENT =
  "id bigserial PRIMARY KEY, event_type text NOT NULL, payload jsonb NOT NULL, created_at timestamptz NOT NULL DEFAULT now()";
const ROLES = "id=id order?=id eventType=event_type payload=payload createdAt=created_at publishedAt=published_at";

interface Team {
  column: string;
  type: string;
  roles?: string;
  /** In a waiting row, in a published one and in the third, which waits. */
  values: readonly [string, string, string];
  third: string;
  takes: string;
}

function team({ column, type, roles = "", values, third, takes }: Team): ClaimedTable {
  const [waiting, sent, other] = values;
  const name = `${column}_outbox`;
  return claimed(
    stated(
      `CREATE TABLE ${name} (${EVENT}, published_at timestamptz, ${column} ${type})`,
      roles === "" ? ROLES : `${ROLES} ${roles}`,
      `INSERT INTO ${name} (event_type,payload,published_at,${column}) VALUES ('a','{}',NULL,${waiting}),('a','{}',now(),${sent}),('a','{}',NULL,${other})`,
      `1 pending, 2 published, 3 ${third}`,
    ),
    `SELECT id FROM ${name} WHERE published_at IS NULL AND ${takes}`,
  );
}

const listed = (column: string, words: readonly string[], third: string) =>
  team({
    column,
    type: `text NOT NULL DEFAULT '${words[0]}' CHECK (${column} IN (${words.map((word) => `'${word}'`).join(",")}))`,
    ...{ values: [`'${words[0]}'`, `'${words[0]}'`, `'${words.at(-1)}'`] as const, third },
    takes: third === "pending" ? "true" : `${column} <> '${words.at(-1)}'`,
  });

/** Who holds a row, by a number or beside a name for nobody, and listed words of which one speaks against sending. */
export const CLAIMED_HOLDERS_AND_LISTED_WORDS: readonly ClaimedTable[] = [
  team({
    ...{ column: "worker", type: "int", values: ["NULL", "3", "3"], third: "in_flight|unknown" },
    takes: "worker IS NULL",
  }),
  team({
    ...{ column: "processor_id", type: "text", values: ["NULL", "'p'", "'p'"], third: "in_flight|unknown" },
    roles: "lockedBy?=processor_id",
    takes: "processor_id IS NULL",
  }),
  team({
    ...{ column: "locked_by", type: "text NOT NULL DEFAULT 'nobody'", values: ["'nobody'", "'w1'", "'w1'"] },
    ...{ third: "in_flight", takes: "locked_by = 'nobody'" },
  }),
  team({
    ...{ column: "owner_id", type: "bigint NOT NULL DEFAULT 0", values: ["0", "0", "0"], third: "pending" },
    takes: "true",
  }),
  team({
    ...{ column: "claimed_by", type: "int NOT NULL DEFAULT 0", values: ["0", "7", "7"], third: "in_flight" },
    takes: "claimed_by = 0",
  }),
  listed("broker", ["kafka", "none"], "unknown"),
  listed("mode", ["live", "test", "dry-run"], "unknown"),
  listed("delivery", ["auto", "manual"], "unknown"),
  listed("routing", ["enabled", "DISABLED"], "unknown"),
  // Of how it is written, and of what happened.
  listed("compression", ["gzip", "none"], "pending"),
  listed("change_type", ["created", "deleted"], "pending"),
];
