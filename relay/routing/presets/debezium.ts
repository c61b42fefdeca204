import type { RouteConfig } from "#services/config/route-schema.ts";
import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import { bodyOf, contentTypeOf } from "../content-type.ts";
import { compileRowTemplate } from "../name-values.ts";
import { type HeaderSource, idHeaders, type Preset } from "../preset.ts";

/**
 * Same output as Debezium's outbox event router with its defaults (route.by.field aggregatetype, table.field.event.key
 * aggregateid, header `id`, the payload alone as value), so that its consumers keep working. `route.fields` corresponds
 * to `table.fields.additional.placement` with placement `header`. A null payload is a tombstone.
 */
export function debeziumPreset({ config, sinkKind }: { config: RouteConfig; sinkKind: SinkConfig["kind"] }): Preset {
  const headers: HeaderSource[] = [
    { name: "id", value: (row) => row.message.eventId, carriesId: true },
    ...idHeaders(sinkKind),
  ];
  for (const name of Object.keys(config.fields)) {
    headers.push({ name, value: (row) => row.message.fields?.[name] ?? null });
  }
  return {
    topic: compileRowTemplate("outbox.event.{aggregateType}"),
    headers,
    content: ({ message }) => ({ body: bodyOf(message), contentType: contentTypeOf(message) }),
  };
}
