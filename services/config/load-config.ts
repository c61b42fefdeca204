import { existsSync, readFileSync } from "node:fs";
import { parseDocument } from "yaml";
import type { z } from "zod";
import { ConfigError } from "#domain/errors.ts";
import { checkReferences } from "./check-references.ts";
import { type Config, configSchema } from "./config-schema.ts";
import {
  type Environment,
  type EnvironmentSetting,
  hasSettings,
  settingsIn,
  variableOf,
  withSettings,
} from "./environment-settings.ts";
import { storeOfUrl } from "./store-schema.ts";

export type { Environment } from "./environment-settings.ts";

/** The variable whose value is the text of a configuration. */
export const TEXT_VARIABLE = "OUTBOX_CONFIG_YAML";

/**
 * Reads `OUTBOX_CONFIG`, the text of `OUTBOX_CONFIG_YAML`, or ./outbox.yaml, and the variables that are settings;
 * without any, uses `DATABASE_URL` alone (observe only). Throws ConfigError with every problem at once, each with its
 * path.
 */
export function loadConfig(env: Environment = process.env): Config {
  const text = env[TEXT_VARIABLE];
  if (text && env.OUTBOX_CONFIG) throw new ConfigError([`Set OUTBOX_CONFIG or ${TEXT_VARIABLE}, not both.`]);
  if (text) return parseConfig(text, env, TEXT_VARIABLE);
  const path = configPath(env);
  if (path) return parseConfig(readConfigFile(path), env, path);
  if (hasSettings(env)) return parseConfig("", env, "the environment");
  const url = env.DATABASE_URL;
  if (url === undefined || url === "") {
    throw new ConfigError(["No outbox.yaml, OUTBOX_CONFIG or DATABASE_URL: no database is configured."]);
  }
  return parseConfig("", env, "DATABASE_URL");
}

/** The configuration's file as it is named to the program; undefined if there is none. */
export function configPath(env: Environment): string | undefined {
  if (env[TEXT_VARIABLE]) return undefined;
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
  const written = readValue(document, source);
  const { settings, problems } = settingsIn(env, { schema: configSchema, configured: written });
  const unread = new Map<string, string>();
  const value = interpolate(withSettings(written, settings), { env, unread });
  if (isRecord(value) && value.stores === undefined && env.DATABASE_URL) {
    value.stores = { default: requireStore(env.DATABASE_URL) };
  }
  return checkConfig({ value, source, settings, problems, unread });
}

/** YAML reports an undefined alias, or an alias bomb, only when the value is built. */
function readValue(document: ReturnType<typeof parseDocument>, source: string): unknown {
  try {
    return document.toJS() ?? {};
  } catch (error) {
    throw new ConfigError([`${source}: ${error instanceof Error ? error.message : "it cannot be read"}`]);
  }
}

interface Given {
  value: unknown;
  /** Names the file, or another source, in messages. */
  source: string;
  settings: readonly EnvironmentSetting[];
  /** Problems of the variables' names. */
  problems: readonly string[];
  /** Of each reference that has no value, why. */
  unread: ReadonlyMap<string, string>;
}

function checkConfig({ value, source, settings, problems, unread }: Given): Config {
  const parsed = configSchema.safeParse(value);
  if (parsed.success && unread.size === 0 && problems.length === 0) return parsed.data;
  // The schema checks references only if everything else is valid.
  const issues = parsed.success ? [] : [...parsed.error.issues, ...checkReferences(value)];
  // A value that is wrong only because its variable is unset is reported once.
  const told = issues
    .filter((issue) => !isUnread(valueAt(value, issue.path), unread))
    .flatMap((issue) => saidOf(issue, value))
    .map(
      ({ path, message }) => `${variableOf(path, settings) ?? source}: ${path.join(".") || "(top level)"}: ${message}`,
    );
  const missing = [...unread.values()].map((why) => `${source}: ${why}`);
  throw new ConfigError([...problems, ...missing, ...new Set(told)]);
}

type Said = Pick<z.core.$ZodIssue, "path" | "message">;

/** A schema's problem in the words of a configuration. */
function saidOf(issue: Said | z.core.$ZodIssue, value: unknown): Said[] {
  const { path, message } = issue;
  if (!("code" in issue)) return [issue];
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...path, key], message: "there is no such setting" }));
  if (issue.code === "invalid_type" && valueAt(value, path) === undefined) return [{ path, message: "is missing" }];
  const choices = issue.code === "invalid_union" && "options" in issue ? (issue.options ?? []) : [];
  if (choices.length > 0 && valueAt(value, path) === undefined)
    return [{ path, message: `is missing: one of ${choices.map(String).join(", ")}` }];
  if (choices.length > 0 && message.startsWith("Invalid discriminator"))
    return [{ path, message: `must be one of ${choices.map(String).join(", ")}` }];
  return [{ path, message }];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

function isUnread(value: unknown, unread: ReadonlyMap<string, string>): boolean {
  return typeof value === "string" && [...unread.keys()].some((reference) => value.includes(reference));
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

/** A text outside the configuration, with its references replaced. Throws ConfigError. */
export function resolveReferences(text: string, env: Environment, source: string): string {
  const unread = new Map<string, string>();
  const resolved = interpolate(text, { env, unread });
  if (unread.size > 0) throw new ConfigError([...unread.values()].map((why) => `${source}: ${why}`));
  return String(resolved);
}

const REFERENCE = /\$\$\{|\$\{(?:FILE:([^}]+)|([A-Za-z_][A-Za-z0-9_]*))\}/g;

/**
 * Replaces ${NAME} by the variable and ${FILE:path} by the file's text, in every string; `$${` stands for a literal
 * `${`. References without a value go to `unread`, with the reason.
 */
function interpolate(value: unknown, from: { env: Environment; unread: Map<string, string> }): unknown {
  if (typeof value === "string") {
    return value.replace(REFERENCE, (reference, file?: string, variable?: string) => {
      if (file !== undefined) return readSecret(file, from.unread) ?? reference;
      if (variable === undefined) return "${";
      const found = from.env[variable];
      if (found === undefined) from.unread.set(reference, `the environment variable ${variable} is not set`);
      return found ?? reference;
    });
  }
  if (Array.isArray(value)) return value.map((item) => interpolate(item, from));
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolate(item, from)]));
  }
  return value;
}

/** Without its last line end, which editors and secrets' tools add. */
function readSecret(path: string, unread: Map<string, string>): string | undefined {
  try {
    return readFileSync(/* turbopackIgnore: true */ path, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    unread.set(`\${FILE:${path}}`, `the file ${path} cannot be read (${code})`);
    return undefined;
  }
}
