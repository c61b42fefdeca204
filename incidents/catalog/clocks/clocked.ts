import { RELAYED } from "../../world/outbox-table.ts";
import { outboxSpec } from "../../world/stack-config.ts";

/** The outbox of incidents in which a program's clock is wrong. */
export const CLOCKED = outboxSpec("clocked", RELAYED);
