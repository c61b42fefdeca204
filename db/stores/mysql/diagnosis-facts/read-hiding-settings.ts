import type { HidingSetting } from "#domain/diagnosis/facts/connector.ts";
import { literalOf } from "../connection/literal.ts";
import type { Session } from "../connection/session.ts";

const RIGHT: readonly Omit<HidingSetting, "value">[] = [
  { name: "log_bin", right: "ON", effect: "the server writes no binary log" },
  {
    name: "binlog_format",
    right: "ROW",
    effect: "the log has statements in place of rows, which the connector passes over",
  },
  // Of MariaDB. Debezium knows no compressed row events; it unpacks the compressed transactions of MySQL.
  {
    name: "log_bin_compress",
    right: "OFF",
    effect: "the connector passes over rows that the server compresses, without an error",
  },
];

/** Needs no privilege. Values are those of new sessions; open ones may have others. */
export async function readHidingSettings(session: Pick<Session, "rows">): Promise<HidingSetting[]> {
  const rows = await session.rows(
    `SHOW GLOBAL VARIABLES WHERE Variable_name IN (${RIGHT.map(({ name }) => literalOf(name)).join(", ")})`,
  );
  const values = new Map(rows.map(([name, value]) => [name ?? "", value ?? ""]));
  return RIGHT.flatMap((setting) => {
    const value = values.get(setting.name);
    return value === undefined || value === setting.right ? [] : [{ ...setting, value }];
  });
}
