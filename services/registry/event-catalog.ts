import { z } from "zod";

const eventSchema = z.object({
  version: z.number(),
  aggregate: z.string(),
  description: z.string().nullable().default(null),
  sensitive: z.array(z.string()).default([]),
  schema: z.record(z.string(), z.unknown()).nullable().default(null),
});

/** Output of `toJsonSchema()` in the client package. Other formats are not interpreted. */
export const eventCatalogSchema = z.object({ format: z.literal(1), events: z.record(z.string(), eventSchema) });

export type EventCatalog = z.infer<typeof eventCatalogSchema>;
export type EventDescription = EventCatalog["events"][string];

export function describedEvent({ events }: EventCatalog, type: string | null): EventDescription | null {
  return type !== null && Object.hasOwn(events, type) ? (events[type] ?? null) : null;
}

/**
 * Paths of the values of a type that are sensitive, as the registry has them: `customer.name`, `lines.*.note`. Without
 * a type those of all types.
 */
export function sensitivePaths(registry: EventCatalog, type: string | null): readonly string[] {
  if (type === null) return [...new Set(Object.values(registry.events).flatMap(({ sensitive }) => sensitive))];
  return describedEvent(registry, type)?.sensitive ?? [];
}
