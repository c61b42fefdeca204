import { parse } from "yaml";
import { z } from "zod";

export type Environment = Record<string, string | undefined>;

/** Begins the name of every variable that is a setting. */
const PREFIX = "OUTBOX_CONSOLE__";

/** The JSON Schema of a place in the configuration. */
interface Place {
  type?: string;
  properties?: Record<string, Place>;
  propertyNames?: { enum?: string[] };
  additionalProperties?: Place | boolean;
  anyOf?: Place[];
  oneOf?: Place[];
}

export interface EnvironmentSetting {
  variable: string;
  path: string[];
  value: unknown;
}

/** Whether a variable sets anything, so that no file is needed. */
export function hasSettings(env: Environment): boolean {
  return Object.keys(env).some((name) => name.startsWith(PREFIX));
}

/**
 * The settings in variables such as `OUTBOX_CONSOLE__OUTBOXES__ORDERS__THRESHOLDS__DEAD__WARN`: each `__` is a level of
 * the configuration, and case, `_` and `-` make no difference between names. Names of outboxes, stores and the like are
 * those in `configured`, or new ones in lower case. Texts are used unchanged; any other value is YAML. Problems are
 * sentences that name the variable.
 */
export function settingsIn(
  env: Environment,
  { schema, configured }: { schema: z.ZodType; configured: unknown },
): { settings: EnvironmentSetting[]; problems: string[] } {
  if (!hasSettings(env)) return { settings: [], problems: [] };
  const root = z.toJSONSchema(schema, { io: "input", target: "draft-07" }) as Place;
  const settings: EnvironmentSetting[] = [];
  const problems: string[] = [];
  for (const variable of Object.keys(env).sort()) {
    if (!variable.startsWith(PREFIX)) continue;
    const found = findPlace(variable.slice(PREFIX.length).split("__"), { root, configured });
    if ("problem" in found) problems.push(`${variable}: ${found.problem}`);
    else settings.push({ variable, path: found.path, value: readValue(env[variable] ?? "", found.places) });
  }
  return { settings, problems };
}

/** The configuration with the settings in it. A level that is no section in the file is replaced. */
export function withSettings(configured: unknown, settings: readonly EnvironmentSetting[]): unknown {
  const whole = isSection(configured) || configured === undefined ? structuredClone(configured ?? {}) : configured;
  if (!isSection(whole)) return whole;
  for (const { path, value } of settings) {
    let section = whole;
    for (const key of path.slice(0, -1)) {
      const inner = Object.hasOwn(section, key) ? section[key] : undefined;
      const next = isSection(inner) ? inner : {};
      setOwn(section, key, next);
      section = next;
    }
    setOwn(section, path.at(-1) ?? "", value);
  }
  return whole;
}

/** Of a path in the configuration, the variable that set it, or a part of it. */
export function variableOf(path: readonly PropertyKey[], settings: readonly EnvironmentSetting[]): string | undefined {
  return settings.find((setting) => setting.path.every((key, index) => path[index] === key))?.variable;
}

type Found = { path: string[]; places: Place[] } | { problem: string };

function findPlace(words: readonly string[], { root, configured }: { root: Place; configured: unknown }): Found {
  const path: string[] = [];
  let places = alternatives(root);
  let section = configured;
  for (const word of words) {
    const where = path.length === 0 ? "the configuration" : path.join(".");
    if (word === "") return { problem: `a name is empty under ${where}` };
    const named = places
      .flatMap((place) => Object.entries(place.properties ?? {}))
      .filter(([name]) => isSame(name, word));
    const entries = places.flatMap(({ additionalProperties: entry }) => (typeof entry === "object" ? [entry] : []));
    const [first] = named;
    if (first) path.push(first[0]);
    else if (entries.length > 0) path.push(entryName(word, { places, section }));
    else return { problem: `${where} has no setting ${word}` };
    places = (first ? named.map(([, place]) => place) : entries).flatMap(alternatives);
    section = isSection(section) ? section[path.at(-1) ?? ""] : undefined;
  }
  return { path, places };
}

function entryName(word: string, { places, section }: { places: Place[]; section: unknown }): string {
  const known = [
    ...(isSection(section) ? Object.keys(section) : []),
    ...places.flatMap((place) => place.propertyNames?.enum ?? []),
  ];
  return known.find((name) => isSame(name, word)) ?? word.toLowerCase();
}

function alternatives(place: Place): Place[] {
  const inner = [...(place.anyOf ?? []), ...(place.oneOf ?? [])];
  return inner.length === 0 ? [place] : inner.flatMap(alternatives);
}

/** A text stays as it is, so that a password of digits, or `yes`, remains one. */
function readValue(text: string, places: readonly Place[]): unknown {
  const types = new Set(places.map(({ type }) => type));
  const isWritten = types.has("string") || types.has(undefined);
  if (isWritten && !(types.has("array") && text.trimStart().startsWith("["))) return text;
  try {
    return parse(text);
  } catch {
    // The schema then says what is expected here.
    return text;
  }
}

function isSame(name: string, word: string): boolean {
  return plain(name) === plain(word);
}

const plain = (name: string) => name.replaceAll(/[_-]/g, "").toLowerCase();

function isSection(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Also for a name such as `__proto__`. */
function setOwn(section: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(section, key, { value, writable: true, enumerable: true, configurable: true });
}
