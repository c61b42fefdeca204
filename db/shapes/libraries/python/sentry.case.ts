import { insertInto } from "../ids.fixture.ts";
import type { LibraryCase } from "../library-case.fixture.ts";

const COLUMNS =
  "shard_scope integer NOT NULL, shard_identifier bigint NOT NULL, category integer NOT NULL, object_identifier bigint NOT NULL, payload jsonb, scheduled_from timestamptz NOT NULL, scheduled_for timestamptz NOT NULL, date_added timestamptz NOT NULL DEFAULT now()";
const caseOf = (slug: string, table: string, more: Record<string, string>): LibraryCase => {
  const insert = (id: number, from: string, to: string) =>
    insertInto(table, {
      id,
      ...more,
      shard_scope: 0,
      shard_identifier: id,
      category: 3,
      object_identifier: 9,
      scheduled_from: `'${from}'`,
      scheduled_for: `'${to}'`,
    });
  return {
    slug,
    ddl: {
      postgres: `CREATE TABLE ${table} (id bigserial PRIMARY KEY, ${"region_name" in more ? "region_name varchar(48) NOT NULL, " : ""}${COLUMNS})`,
    },
    table,
    rows: [
      { key: "1", state: "pending", insert: insert(1, "2026-01-01", "2016-08-01") },
      { key: "2", state: "failed", insert: insert(2, "2026-01-01 00:00:00", "2026-01-01 00:00:04") },
      { key: "3", state: "failed", scheduled: true, insert: insert(3, "2034-12-31 23:00:00", "2035-01-01") },
      { key: "4", state: "pending", scheduled: true, insert: insert(4, "2035-01-01", "2035-01-01") },
    ],
    claims: `SELECT id FROM ${table} WHERE scheduled_for <= {now}`,
  };
};

export const sentryCases: readonly LibraryCase[] = [
  caseOf("sentry-region", "sentry_regionoutbox", {}),
  caseOf("sentry-control", "sentry_controloutbox", { region_name: "'us'" }),
];
