import type { OutboxHandle } from "../runtime.ts";

/** One sentence for each column under `relay.route.fields` that the table lacks; the relay then cannot start. */
export function missingRouteFields({ name, config, catalog }: Pick<OutboxHandle, "name" | "config" | "catalog">) {
  const columns = new Set(catalog.columns.map((column) => column.name));
  return Object.entries(config.relay?.route.fields ?? {})
    .filter(([, column]) => !columns.has(column))
    .map(
      ([field, column]) =>
        `outbox ${name}: relay.route.fields.${field} names the column "${column}", which ${catalog.schema}.${catalog.name} does not have.`,
    );
}
