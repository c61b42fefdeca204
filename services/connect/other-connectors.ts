import type { OtherConnector } from "#domain/diagnosis/facts/connector.ts";
import type { OutboxHandle } from "../runtime.ts";
import type { ConnectorsAnswer } from "./connect-answers.ts";

type Config = Record<string, string>;

/** Settings that say which database a connector of Debezium reads. */
const ADDRESS = ["connector.class", "database.hostname", "database.port", "database.dbname"];
/** Debezium's filters: the table's name in each, and whether it includes or excludes. */
const FILTERS = [
  ["table.include.list", "table", true],
  ["table.exclude.list", "table", false],
  ["schema.include.list", "schema", true],
  ["schema.exclude.list", "schema", false],
  ["database.include.list", "schema", true],
  ["database.exclude.list", "schema", false],
] as const;

/**
 * Connectors of the same Connect whose configuration has the same address of the database, word for word. Null if they
 * were not listed, or the outbox's own connector is not among them.
 */
export function otherConnectors(handle: OutboxHandle, all: ConnectorsAnswer | null): OtherConnector[] | null {
  const own = handle.config.debezium?.connector ?? "";
  const ours = all?.[own]?.info?.config;
  if (!all || !ours) return null;
  return Object.entries(all).flatMap(([connector, { info, status }]) => {
    if (connector === own || !info || !isSameDatabase(info.config, ours)) return [];
    return [
      {
        connector,
        state: status?.connector.state ?? "UNKNOWN",
        slot: info.config["connector.class"]?.includes("Postgres") ? (info.config["slot.name"] ?? "debezium") : null,
        publishes: publishes(info.config, handle.mapping.table),
      },
    ];
  });
}

function isSameDatabase(config: Config, ours: Config): boolean {
  return ours["database.hostname"] !== undefined && ADDRESS.every((name) => config[name] === ours[name]);
}

/** Without the outbox event router it sends changes of rows, no messages. Null if a pattern cannot be read. */
function publishes(config: Config, { schema, name }: { schema: string; name: string }): boolean | null {
  const isRouter = ([key, value]: [string, string]) =>
    /^transforms\..+\.type$/.test(key) && value.endsWith("outbox.EventRouter");
  if (!Object.entries(config).some(isRouter)) return false;
  try {
    return FILTERS.every(([setting, of, lets]) => {
      const patterns = config[setting]?.split(",").map((pattern) => pattern.trim()) ?? [];
      if (patterns.length === 0) return true;
      const subject = of === "table" ? `${schema}.${name}` : schema;
      // Debezium matches the whole name, ignoring case.
      return patterns.some((pattern) => new RegExp(`^(?:${pattern})$`, "i").test(subject)) === lets;
    });
  } catch {
    // A pattern of Java that JavaScript does not support.
    return null;
  }
}
