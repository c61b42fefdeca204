import { AppError } from "#domain/errors.ts";
import { outboxOf } from "../outboxes/outbox-of.ts";
import type { Runtime } from "../runtime.ts";
import { type ConnectorPlan, planConnector } from "./connector-plan.ts";

export interface OutboxPlan extends ConnectorPlan {
  connector: string;
  /** Where Kafka Connect answers, or an example. */
  address: string;
  /** Slot and publication; where the server has none, the record of the connector's place. */
  names: { reader: string; feed: string };
  /** What Kafka Connect is asked to create the connector with. */
  body: { title: string; request: string; json: object };
}

/**
 * The connector that an outbox would need, with its names as they are configured or after the outbox. Throws:
 * not_found; invalid_input with the reason, if Debezium's event router cannot publish it.
 */
export async function planOfOutbox(input: {
  runtime: Runtime;
  outbox: string;
  /** In place of the configured slot, or of one that is named after the outbox. */
  slot?: string | undefined;
}): Promise<OutboxPlan> {
  const { runtime, outbox } = input;
  const handle = await runtime.outbox(outbox);
  const { debezium, store } = handle.config;
  const config = runtime.config.stores[store];
  if (!config) throw new AppError("not_found", `There is no store named ${store}.`);
  const name = logNameOf(handle.name);
  const connector = debezium?.connector ?? `${handle.name}-connector`;
  const names = { reader: input.slot ?? debezium?.slot ?? name, feed: name };
  const plan = planConnector({
    ...{ outbox: handle.name, connector, slot: names.reader, publication: names.feed },
    mapping: handle.mapping,
    partitioned: handle.catalog.partitioned,
    product: (await outboxOf(handle).handover?.product()) ?? null,
    relayed: handle.config.mode === "relay",
    url: config.directUrl ?? config.url,
  });
  if ("refusal" in plan) throw new AppError("invalid_input", plan.refusal);
  const address = debezium?.connect.address ?? "http://connect:8083/";
  return { ...plan, names, connector, address, body: bodyOf(plan, connector, address) };
}

/** With snapshot.mode recovery the connector needs an offset first, so it is created stopped. */
function bodyOf({ config }: ConnectorPlan, connector: string, address: string): OutboxPlan["body"] {
  const stopped = { name: connector, initial_state: "STOPPED", config };
  if (config["snapshot.mode"] === "recovery")
    return { title: "The connector, stopped", request: `POST ${address}connectors`, json: stopped };
  const request = `PUT ${address}connectors/${encodeURIComponent(connector)}/config`;
  return { title: "The configuration", request, json: config };
}

/** Of a slot, of a publication, and of the record of a connector's place. */
export function logNameOf(outbox: string): string {
  return `debezium_${outbox.replaceAll("-", "_")}`.slice(0, 63);
}
