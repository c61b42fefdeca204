import { AppError } from "#domain/errors.ts";
import type { DebeziumConfig } from "../../config/debezium-schema.ts";
import type { OutboxHandle } from "../../runtime.ts";
import type { ConnectClient } from "../connect-client.ts";

/**
 * Slot and publication of the connector, from its own configuration. Throws ConnectError; wrong_state, if it is not of
 * Postgres, or publishes other tables, which stopping it would stop too.
 */
export async function namesInConnector(input: {
  handle: OutboxHandle;
  debezium: DebeziumConfig;
  client: ConnectClient;
}): Promise<{ reader: string; feed: string }> {
  const { handle, debezium, client } = input;
  const config = await client.config();
  const wrong = (message: string) => new AppError("wrong_state", `Connector ${debezium.connector} ${message}`);
  if (!config["connector.class"]?.includes("PostgresConnector"))
    throw wrong("is not Debezium's connector for Postgres.");
  const { schema, name } = handle.mapping.table;
  const others = (config["table.include.list"] ?? "every table")
    .split(",")
    .map((one) => one.trim().replaceAll("\\.", "."))
    .filter((one) => one !== "" && one !== `${schema}.${name}` && !one.endsWith(".debezium_heartbeat"));
  if (others.length > 0)
    throw wrong(
      `also publishes ${others.join(", ")}, which would stop too. Give outbox ${handle.name} a connector of its own first, or take it out of table.include.list and use --from-slot with a slot that nobody reads.`,
    );
  return {
    reader: debezium.slot ?? config["slot.name"] ?? "debezium",
    feed: config["publication.name"] ?? "dbz_publication",
  };
}
