import type { EventDefinition } from "./event-definition.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** The registry's data about one type, without code. */
export interface EventDescription {
  version: number;
  aggregate: string;
  description: string | null;
  /** Paths as written in the registry; `*` stands for every element of a list or member of an object. */
  sensitive: string[];
  /** JSON Schema 2020-12 of the payload as it is stored; null where the schema's library cannot describe it. */
  schema: Record<string, unknown> | null;
}

/** A registry as JSON: `format` is raised when a reader of the older one would misread it. */
export interface EventCatalog {
  format: 1;
  events: Record<string, EventDescription>;
}

export function toCatalog(definitions: Readonly<Record<string, EventDefinition<StandardSchema>>>): EventCatalog {
  const events = Object.entries(definitions).map(([type, definition]): [string, EventDescription] => [
    type,
    {
      version: definition.version,
      aggregate: definition.aggregate,
      description: definition.description ?? null,
      sensitive: [...(definition.sensitive ?? [])],
      schema: definition.jsonSchema ?? describe(definition.schema),
    },
  ]);
  return { format: 1, events: Object.fromEntries(events) };
}

/** A schema without a JSON form, such as one with a transform, must not prevent the catalog. */
function describe(schema: StandardSchema): Record<string, unknown> | null {
  try {
    return schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" }) ?? null;
  } catch {
    return null;
  }
}
