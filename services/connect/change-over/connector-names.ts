import type { OutboxHandover } from "#db/stores/port/handover.ts";
import { AppError } from "#domain/errors.ts";
import type { DebeziumConfig } from "../../config/debezium-schema.ts";
import type { OutboxHandle } from "../../runtime.ts";
import type { ConnectClient } from "../connect-client.ts";

const KINDS: Record<OutboxHandover["keeps"], { connector: RegExp; title: string; otherwise: string }> = {
  slot: {
    connector: /PostgresConnector/,
    title: "Postgres",
    otherwise: ", or take it out of table.include.list and use --from-slot with a slot that nobody reads",
  },
  offset: {
    connector: /\.MySqlConnector$/,
    title: "MySQL",
    otherwise: "",
  },
};

/**
 * Slot and publication of the connector, from its own configuration; for MySQL, which has neither, the given name. Throws
 * ConnectError; wrong_state, if the connector is not of this kind of database, or publishes other tables, which stopping it
 * would stop too.
 */
export async function namesInConnector(input: {
  handle: OutboxHandle;
  debezium: DebeziumConfig;
  client: ConnectClient;
  keeper: OutboxHandover["keeps"];
  /** Of the record that `--from-relay` left, where the server keeps no slot. */
  record: string;
}): Promise<{ reader: string; feed: string }> {
  const { handle, debezium, client, keeper, record } = input;
  const { connector, title, otherwise } = KINDS[keeper];
  const config = await client.config();
  const wrong = (message: string) => new AppError("wrong_state", `Connector ${debezium.connector} ${message}`);
  if (!connector.test(config["connector.class"] ?? "")) throw wrong(`is not Debezium's connector for ${title}.`);
  const { schema, name } = handle.mapping.table;
  const others = (config["table.include.list"] ?? "every table")
    .split(",")
    .map((one) => one.trim().replaceAll("\\.", "."))
    .filter((one) => one !== "" && one !== `${schema}.${name}` && !one.endsWith(".debezium_heartbeat"));
  if (others.length > 0)
    throw wrong(
      `also publishes ${others.join(", ")}, which would stop too. Give outbox ${handle.name} a connector of its own first${otherwise}.`,
    );
  if (keeper === "offset") return { reader: record, feed: record };
  return {
    reader: debezium.slot ?? config["slot.name"] ?? "debezium",
    feed: config["publication.name"] ?? "dbz_publication",
  };
}
