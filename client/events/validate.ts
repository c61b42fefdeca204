import { ClientError } from "../errors.ts";
import type { EventRegistry } from "./define-events.ts";
import type { StandardIssue, StandardSchema } from "./standard-schema.ts";

/** Throws `unknown_type`. */
export function definitionOf(events: EventRegistry, type: string) {
  const definition = events.has(type) ? events.definitions[type] : undefined;
  if (definition === undefined)
    throw new ClientError("unknown_type", `The registry has no event ${JSON.stringify(type)}. ${listed(events.types)}`);
  return definition;
}

const MOST_SHOWN = 10;

function listed(types: readonly string[]): string {
  const more = types.length > MOST_SHOWN ? `, and ${types.length - MOST_SHOWN} more` : "";
  return `It has ${types.slice(0, MOST_SHOWN).join(", ") || "none"}${more}.`;
}

/** The value as the schema gives it. Throws `invalid_payload` with paths and the schema's own messages. */
export async function validate(schema: StandardSchema, value: unknown, what: string): Promise<unknown> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return result.value;
  const shown = result.issues.slice(0, 5).map(describe).join("; ");
  const more = result.issues.length > 5 ? `; and ${result.issues.length - 5} more` : "";
  throw new ClientError("invalid_payload", `${what}: ${shown}${more}`);
}

function describe({ path = [], message }: StandardIssue): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return keys.length > 0 ? `${keys.join(".")}: ${message}` : message;
}
