import { AppError } from "#domain/errors.ts";
import type { Runtime } from "../runtime.ts";
import { type ConnectorPlan, planConnector } from "./connector-plan.ts";

export interface OutboxPlan extends ConnectorPlan {
  connector: string;
  /** Where Kafka Connect answers, or an example. */
  address: string;
  /** Slot and publication. */
  names: { reader: string; feed: string };
}

/**
 * The connector that an outbox would need, with its names as they are configured or after the outbox. Throws: not_found;
 * invalid_input with the reason, if Debezium's event router cannot publish it.
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
  const name = `debezium_${handle.name.replaceAll("-", "_")}`.slice(0, 63);
  const connector = debezium?.connector ?? `${handle.name}-connector`;
  const names = { reader: input.slot ?? debezium?.slot ?? name, feed: name };
  const plan = planConnector({
    ...{ outbox: handle.name, connector, slot: names.reader, publication: names.feed },
    mapping: handle.mapping,
    partitioned: handle.catalog.partitioned,
    kind: config.kind,
    url: config.directUrl ?? config.url,
  });
  if ("refusal" in plan) throw new AppError("invalid_input", plan.refusal);
  return { ...plan, names, connector, address: debezium?.connect.address ?? "http://connect:8083/" };
}
