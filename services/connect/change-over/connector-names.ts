import type { OutboxHandover } from "#db/stores/port/handover.ts";
import { AppError } from "#domain/errors.ts";
import type { DebeziumConfig } from "../../config/debezium-schema.ts";
import type { OutboxHandle } from "../../runtime.ts";
import { connectorClassOf } from "../connector-plan.ts";
import type { PatientConnect } from "./patient-connect.ts";

const OTHERWISE: Record<OutboxHandover["keeps"], string> = {
  slot: ", or take it out of table.include.list and use --from-slot with a slot that nobody reads",
  offset: "",
};

/**
 * Slot and publication of the connector, from its own configuration; for MySQL, which has neither, the given name.
 * Throws ConnectError; wrong_state, if the connector is not the one for this database, or publishes other tables, which
 * stopping it would stop too.
 */
export async function namesInConnector(input: {
  handle: OutboxHandle;
  debezium: DebeziumConfig;
  client: PatientConnect;
  handover: Pick<OutboxHandover, "keeps" | "product">;
  /** Of the record that `--from-relay` left, where the server keeps no slot. */
  record: string;
}): Promise<{ reader: string; feed: string }> {
  const { handle, debezium, client, handover, record } = input;
  const [config, product] = [await client.config(), await handover.product()];
  const wrong = (message: string) => new AppError("wrong_state", `Connector ${debezium.connector} ${message}`);
  if (shortName(config["connector.class"]) !== shortName(connectorClassOf(product)))
    throw wrong(`is not Debezium's connector for ${product}.`);
  const { schema, name } = handle.mapping.table;
  const others = (config["table.include.list"] ?? "every table")
    .split(",")
    .map((one) => one.trim().replaceAll("\\.", "."))
    .filter((one) => one !== "" && one !== `${schema}.${name}` && !one.endsWith(".debezium_heartbeat"));
  if (others.length > 0)
    throw wrong(
      `also publishes ${others.join(", ")}, which would stop too. Give outbox ${handle.name} a connector of its own first${OTHERWISE[handover.keeps]}.`,
    );
  if (handover.keeps === "offset") return { reader: record, feed: record };
  return {
    reader: debezium.slot ?? config["slot.name"] ?? "debezium",
    feed: config["publication.name"] ?? "dbz_publication",
  };
}

/** Connect also takes a class without its package. */
function shortName(className = ""): string {
  return className.slice(className.lastIndexOf(".") + 1);
}
