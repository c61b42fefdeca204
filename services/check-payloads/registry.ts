import { ConfigError, messageOf } from "#domain/errors.ts";

interface StandardIssue {
  message: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[] | undefined;
}

/** The used part of the interface of standardschema.dev. */
interface StandardSchema {
  "~standard": {
    validate(value: unknown): Judgement | Promise<Judgement>;
  };
}
type Judgement = { issues?: undefined } | { issues: readonly StandardIssue[] };

/** The code's definition of one type; a plain object of schemas has neither version nor upgrade. */
export interface RegistryEntry {
  version: number | null;
  schema: StandardSchema;
  /** Turns a payload of an older version into this one's, before the schema sees it. */
  upgrade: ((payload: unknown, version: number) => unknown) | null;
}

export type Registry = ReadonlyMap<string, RegistryEntry>;

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

/**
 * Null if a consumer with the client package can read the value, otherwise the reason why not. `written`: the version
 * in the message, null without one.
 */
export async function whyUnreadable(
  { version, schema, upgrade }: RegistryEntry,
  value: unknown,
  written: number | null,
): Promise<string | null> {
  if (version === null || written === null || written === version) return whyUnfit(schema, value);
  if (written > version)
    return `It was written with version ${written}, and the registry has ${version}: this code refuses it.`;
  if (upgrade === null) {
    const why = await whyUnfit(schema, value);
    return why && `${why} (written with version ${written}, the registry has ${version})`;
  }
  const upgraded = await upgradedBy(upgrade, value, written);
  if ("failure" in upgraded) return `The upgrade from version ${written} fails: ${upgraded.failure}`;
  const why = await whyUnfit(schema, upgraded.value);
  return why && `${why} (after the upgrade from version ${written})`;
}

async function upgradedBy(
  upgrade: NonNullable<RegistryEntry["upgrade"]>,
  value: unknown,
  written: number,
): Promise<{ value: unknown } | { failure: string }> {
  try {
    return { value: await upgrade(value, written) };
  } catch (error) {
    return { failure: messageOf(error) };
  }
}

/** Null if the value fits, otherwise the violations with their places. */
async function whyUnfit(schema: StandardSchema, value: unknown): Promise<string | null> {
  const { issues } = await judgedBy(schema, value);
  const [first] = issues ?? [];
  if (!first) return null;
  const path = (first.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  return path === "" ? first.message : `${path}: ${first.message}`;
}

/** A schema that throws fails in the consumer as well. */
async function judgedBy(schema: StandardSchema, value: unknown): Promise<Judgement> {
  try {
    return await schema["~standard"].validate(value);
  } catch (error) {
    return { issues: [{ message: `The schema fails: ${messageOf(error)}` }] };
  }
}

function toRegistry(value: unknown): Registry | null {
  if (!isObject(value)) return null;
  const definitions = isObject(value.definitions) ? value.definitions : value;
  const entries = Object.entries(definitions).map(([type, entry]) => [type, toEntry(entry)] as const);
  const whole = entries.flatMap(([type, entry]) => (entry ? [[type, entry] as const] : []));
  return whole.length > 0 && whole.length === entries.length ? new Map(whole) : null;
}

function toEntry(value: unknown): RegistryEntry | null {
  if (isSchema(value)) return { version: null, schema: value, upgrade: null };
  if (!isObject(value) || !isSchema(value.schema)) return null;
  const { version, schema, upgrade } = value;
  return {
    version: typeof version === "number" ? version : null,
    schema,
    upgrade: typeof upgrade === "function" ? (payload, from) => upgrade.call(value, payload, from) : null,
  };
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
