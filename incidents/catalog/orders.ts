import { RELAYED } from "../world/outbox-table.ts";
import { outboxSpec } from "../world/stack-config.ts";

/** The outbox of incidents that affect whole processes; they run one after another. */
export const ORDERS = outboxSpec("orders", RELAYED);
