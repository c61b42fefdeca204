import { describe, expect, test } from "vitest";
import { scansOf, sorts } from "./plan-scans.ts";

/** Plans as MySQL 8.0.15 and MariaDB 10.11 print them, without unused fields. */
const MYSQL_WALK = {
  query_block: {
    select_id: 1,
    cost_info: { query_cost: "41015.50" },
    ordering_operation: {
      using_filesort: false,
      table: {
        table_name: "t",
        access_type: "index",
        key: "created_idx",
        used_key_parts: ["created_at"],
        rows_examined_per_scan: 50,
        filtered: "10.00",
        attached_condition: "(`t`.`kind` = 'x')",
      },
    },
  },
};
const MYSQL_RANGE = {
  query_block: {
    ordering_operation: {
      using_filesort: true,
      table: {
        table_name: "t",
        access_type: "range",
        key: "status_tries_idx",
        used_key_parts: ["status", "tries"],
        rows_examined_per_scan: 4000,
        index_condition: "…",
      },
    },
  },
};
const MARIADB_SORTED = {
  query_block: {
    select_id: 1,
    read_sorted_file: {
      filesort: {
        sort_key: "t.seq",
        table: { table_name: "t", access_type: "ALL", rows: 199_234, filtered: 100, attached_condition: "t.a = 1" },
      },
    },
  },
};
const MARIADB_JOIN = {
  query_block: {
    select_id: 1,
    nested_loop: [
      {
        table: {
          table_name: "<derived2>",
          access_type: "ALL",
          rows: 51,
          materialized: {
            query_block: {
              nested_loop: [
                {
                  table: {
                    table_name: "t",
                    access_type: "ref",
                    key: "state",
                    used_key_parts: ["status"],
                    ref: ["const"],
                    rows: 90,
                  },
                },
              ],
            },
          },
        },
      },
      { table: { table_name: "t", access_type: "eq_ref", key: "PRIMARY", used_key_parts: ["id"], rows: 1 } },
      {
        table: {
          table_name: "d",
          access_type: "eq_ref",
          key: "PRIMARY",
          used_key_parts: ["outbox", "message_id"],
          rows: 1,
        },
      },
    ],
  },
};

describe("a plan", () => {
  test("of MySQL that walks an index and filters", () => {
    expect(scansOf(MYSQL_WALK, "t")).toEqual([
      { index: "created_idx", how: "walk", searched: ["created_at"], rows: 50, filtered: true },
    ]);
    expect(sorts(MYSQL_WALK)).toBe(false);
  });

  test("of MySQL that searches a range and sorts", () => {
    expect(scansOf(MYSQL_RANGE, "t")).toMatchObject([
      { index: "status_tries_idx", how: "search", searched: ["status", "tries"], rows: 4000, filtered: false },
    ]);
    expect(sorts(MYSQL_RANGE)).toBe(true);
  });

  test("of MariaDB that scans the table and sorts", () => {
    expect(scansOf(MARIADB_SORTED, "t")).toMatchObject([{ index: null, how: "all", rows: 199_234, filtered: true }]);
    expect(sorts(MARIADB_SORTED)).toBe(true);
  });

  test("shows every scan of the alias, in subqueries too, and of no other", () => {
    expect(scansOf(MARIADB_JOIN, "t").map(({ index, how, rows }) => [index, how, rows])).toEqual([
      ["state", "search", 90],
      ["PRIMARY", "search", 1],
    ]);
    expect(sorts(MARIADB_JOIN)).toBe(false);
  });

  test("without a scan: nothing can match", () => {
    expect(scansOf({ query_block: { message: "Impossible WHERE" } }, "t")).toEqual([]);
  });
});
