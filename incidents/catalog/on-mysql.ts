import type { Incident } from "../incident.ts";
import { RELAYED_MYSQL } from "../world/outbox-table.ts";
import { outboxSpec } from "../world/stack-config.ts";

/** The outbox of incidents over MySQL, which run one after another. */
export const MYSQL_ORDERS = outboxSpec("mysql-orders", RELAYED_MYSQL);

/** The same incident over MySQL. Everything it does must be part of IncidentStore. */
export function onMysql(incident: Incident): Incident {
  const { name, stages } = incident;
  return {
    ...incident,
    name: `mysql-${name}`,
    stack: "mysql",
    outboxes: [MYSQL_ORDERS],
    stages: stages.map((stage) => (stage.name === undefined ? stage : { ...stage, name: `mysql-${stage.name}` })),
  };
}
