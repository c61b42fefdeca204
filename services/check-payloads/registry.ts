import { ConfigError } from "#domain/errors.ts";

interface StandardIssue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

/** As standardschema.dev defines it, as far as it is used. */
interface StandardSchema {
  "~standard": {
    validate(value: unknown): Judgement | Promise<Judgement>;
  };
}
type Judgement = { issues?: undefined } | { issues: readonly StandardIssue[] };

/** By event type: the version that the code has now, and what it can read. */
export type Registry = ReadonlyMap<string, { version: number | null; schema: StandardSchema }>;

/**
 * The registry that a module exports: `defineEvents(…)` of the client package, under any name, or an object of Standard
 * Schemas by event type. Throws ConfigError for none, and for more than one.
 */
export function registryOf(module: Readonly<Record<string, unknown>>, source: string): Registry {
  const found = [...new Set(Object.values(module))].flatMap((value) => toRegistry(value) ?? []);
  const [registry] = found;
  if (registry && found.length === 1) return registry;
  const what = registry ? `${found.length} registries` : "no registry";
  throw new ConfigError([
    `${source} exports ${what}. Export one: what defineEvents returns, or an object with a Standard Schema for each event type.`,
  ]);
}

/** Null if the value fits; else what does not fit, with where it stands. */
export async function whyUnreadable(schema: StandardSchema, value: unknown): Promise<string | null> {
  const { issues } = await schema["~standard"].validate(value);
  const [first] = issues ?? [];
  if (!first) return null;
  const path = (first.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  return path === "" ? first.message : `${path}: ${first.message}`;
}

function toRegistry(value: unknown): Registry | null {
  if (!isObject(value)) return null;
  const definitions = isObject(value.definitions) ? value.definitions : value;
  const entries = Object.entries(definitions).map(([type, entry]) => [type, toEntry(entry)] as const);
  const whole = entries.flatMap(([type, entry]) => (entry ? [[type, entry] as const] : []));
  return whole.length > 0 && whole.length === entries.length ? new Map(whole) : null;
}

function toEntry(value: unknown): { version: number | null; schema: StandardSchema } | null {
  if (isSchema(value)) return { version: null, schema: value };
  if (!isObject(value) || !isSchema(value.schema)) return null;
  return { version: typeof value.version === "number" ? value.version : null, schema: value.schema };
}

/** ArkType's schemas are functions. */
function isSchema(value: unknown): value is StandardSchema {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  const standard: unknown = Reflect.get(value, "~standard");
  return isObject(standard) && typeof standard.validate === "function";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
