import { existsSync, readFileSync } from "node:fs";
import { parseDocument } from "yaml";
import { ConfigError } from "#domain/errors.ts";
import { checkReferences } from "./check-references.ts";
import { type Config, configSchema } from "./config-schema.ts";
import { storeOfUrl } from "./store-schema.ts";

export type Environment = Record<string, string | undefined>;

/**
 * Reads `OUTBOX_CONFIG` or ./outbox.yaml; without either, uses `DATABASE_URL` alone (observe only). Throws ConfigError
 * with every problem at once, each with its path.
 */
export function loadConfig(env: Environment = process.env): Config {
  const path = configPath(env);
  if (path) return parseConfig(readConfigFile(path), env, path);
  const url = env.DATABASE_URL;
  if (url === undefined || url === "") {
    throw new ConfigError(["No outbox.yaml, OUTBOX_CONFIG or DATABASE_URL: no database is configured."]);
  }
  return checkConfig({ stores: { default: requireStore(url) } }, "DATABASE_URL");
}

/** The configuration's file as it is named to the program; undefined if there is none. */
export function configPath(env: Environment): string | undefined {
  return env.OUTBOX_CONFIG || (existsSync("outbox.yaml") ? "outbox.yaml" : undefined);
}

function requireStore(url: string): NonNullable<ReturnType<typeof storeOfUrl>> {
  const store = storeOfUrl(url);
  if (!store) throw new ConfigError(["DATABASE_URL: must be a postgres://, mysql:// or mariadb:// URL"]);
  return store;
}

/** Parses the text of a configuration file. `source` names it in messages. */
export function parseConfig(text: string, env: Environment, source: string): Config {
  const document = parseDocument(text, { prettyErrors: true, uniqueKeys: true });
  if (document.errors.length > 0) {
    throw new ConfigError(document.errors.map((error) => `${source}: ${error.message.split("\n")[0]}`));
  }
  const missing = new Set<string>();
  const value = interpolate(readValue(document, source), env, missing);
  if (isRecord(value) && value.stores === undefined && env.DATABASE_URL) {
    value.stores = { default: requireStore(env.DATABASE_URL) };
  }
  return checkConfig(value, source, missing);
}

/** YAML reports an undefined alias, or an alias bomb, only when the value is built. */
function readValue(document: ReturnType<typeof parseDocument>, source: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw new ConfigError([`${source}: ${error instanceof Error ? error.message : "it cannot be read"}`]);
  }
}

function checkConfig(value: unknown, source: string, missing: ReadonlySet<string> = new Set()): Config {
  const parsed = configSchema.safeParse(value);
  if (parsed.success && missing.size === 0) return parsed.data;
  const unset = [...missing].map((variable) => `${source}: the environment variable ${variable} is not set`);
  // The schema checks references only if everything else is valid.
  const issues = parsed.success ? [] : [...parsed.error.issues, ...checkReferences(value)];
  // A value that is wrong only because its variable is unset is reported once.
  const told = issues
    .filter((issue) => !isUnset(valueAt(value, issue.path), missing))
    .map((issue) => `${source}: ${issue.path.join(".") || "(top level)"}: ${issue.message}`);
  throw new ConfigError([...unset, ...new Set(told)]);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

function isUnset(value: unknown, missing: ReadonlySet<string>): boolean {
  return typeof value === "string" && [...missing].some((variable) => value.includes(`\${${variable}}`));
}

function readConfigFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new ConfigError([`${path} cannot be read (${code}).`]);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Replaces ${NAME} in every string; `$${` stands for a literal `${`. */
function interpolate(value: unknown, env: Environment, missing: Set<string>): unknown {
  if (typeof value === "string") {
    return value.replace(/\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, variable: string | undefined) => {
      if (variable === undefined) return "${";
      const found = env[variable];
      if (found === undefined) missing.add(variable);
      return found ?? whole;
    });
  }
  if (Array.isArray(value)) return value.map((item) => interpolate(item, env, missing));
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolate(item, env, missing)]));
  }
  return value;
}
