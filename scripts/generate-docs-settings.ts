import { z } from "zod";
import { configSchema } from "#services/config/config-schema.ts";
import { MEANINGS } from "./generate-docs-meanings.ts";

interface Node {
  type?: string | string[];
  pattern?: string;
  format?: string;
  const?: string;
  enum?: string[];
  default?: unknown;
  description?: string;
  properties?: Record<string, Node>;
  required?: string[];
  propertyNames?: Node;
  additionalProperties?: Node | boolean;
  items?: Node;
  anyOf?: Node[];
  oneOf?: Node[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  /** Set by the schema of durations; see value-schemas.ts. */
  isDuration?: boolean;
}

interface Setting {
  path: string;
  type: string;
  fallback: string;
  variant: string | null;
}

export interface SettingsReference {
  table: string;
  /** Settings without a meaning, and meanings without a setting. */
  faults: string[];
}

const BEGIN = "<!-- settings: made by scripts/generate-docs.ts -->";
const END = "<!-- end of settings -->";
const DURATION = /^\d+(ms|s|m|h|d)$/;
const DURATION_PATTERN = "^\\s*\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)\\s*$";

/** Whether a setting must be given: always, with the section named, or not. */
type Needed = "always" | { with: string } | null;

const schemaOf = () => z.toJSONSchema(configSchema, { io: "input", target: "draft-07" }) as Node;

/** The table of all settings, from the schema and the meanings. */
export function describeSettings(): SettingsReference {
  const settings = merge(leaves(schemaOf(), "", "always", null));
  const paths = new Set(settings.map((setting) => setting.path));
  const rows = settings.map(
    ({ path, type, fallback, variant }) =>
      `| \`${path}\` | ${type}${variant ? `, with ${variant}` : ""} | ${fallback} | ${MEANINGS[path] ?? ""} |`,
  );
  return {
    table: ["| setting | type | default | meaning |", "|---|---|---|---|", ...rows].join("\n"),
    faults: [
      ...settings.filter(({ path }) => !MEANINGS[path]).map(({ path }) => `the setting ${path} has no meaning`),
      ...Object.keys(MEANINGS)
        .filter((path) => !paths.has(path))
        .map((path) => `the meaning of ${path} is of no setting`),
    ],
  };
}

/** The page with a new table. */
export function withSettings(page: string, { table }: SettingsReference): string {
  const [before, rest = ""] = page.split(BEGIN);
  const after = rest.split(END)[1] ?? "";
  return `${before}${BEGIN}\n\n${table}\n\n${END}${after}`;
}

/** JSON Schema of outbox.yaml for editors: with meanings, and with `${VARIABLE}` wherever a string is restricted. */
export function editorSchema(): Node {
  return { ...annotate(schemaOf(), ""), title: "outbox.yaml of Outbox Console" } as Node;
}

function leaves(node: Node, path: string, needed: Needed, variant: string | null): Setting[] {
  // A section's own default determines the defaults inside it.
  const given = typeof node.default === "object" && node.default !== null ? node.default : {};
  const join = (name: string) => (path === "" ? name : `${path}.${name}`);
  const union = node.oneOf ?? (node.anyOf?.some((part) => part.properties) ? node.anyOf : undefined);
  if (union) {
    return union.flatMap((part) =>
      leaves({ ...part, default: node.default }, path, needed, variantOf(part) ?? variant),
    );
  }
  if (node.properties) {
    // In a section that may be left out, a setting is needed with the section.
    const inside: Needed = needed ?? { with: path.split(".").at(-1) ?? path };
    return Object.entries(node.properties).flatMap(([name, child]) =>
      leaves(
        name in given ? { ...child, default: given[name as keyof typeof given] } : child,
        join(name),
        !(name in given) && node.required?.includes(name) ? inside : null,
        variant,
      ),
    );
  }
  if (typeof node.additionalProperties === "object" && node.propertyNames) {
    const roles = node.propertyNames.enum !== undefined;
    const each = node.additionalProperties;
    if (roles || isTree(each))
      return leaves(each, join(roles ? "<role>" : "<name>"), isTree(each) ? "always" : null, null);
  }
  return [{ path, type: typeOf(node), fallback: fallbackOf(node, needed), variant }];
}

function isTree(node: Node): boolean {
  return node.properties !== undefined || node.oneOf !== undefined || node.anyOf !== undefined;
}

/** `kind: http`: the constant that distinguishes a union's variants. */
function variantOf(part: Node): string | null {
  const entry = Object.entries(part.properties ?? {}).find(([, child]) => child.const !== undefined);
  return entry ? `\`${entry[0]}: ${entry[1].const}\`` : null;
}

/** The distinguishing constant is one setting with several words. */
function merge(settings: readonly Setting[]): Setting[] {
  const merged = new Map<string, Setting>();
  for (const setting of settings) {
    const before = merged.get(setting.path);
    if (before)
      merged.set(setting.path, {
        ...before,
        type: before.type === setting.type ? before.type : also(before.type, setting.type),
        variant: bothOf(before, setting),
      });
    else merged.set(setting.path, setting);
  }
  return [...merged.values()].map((setting) =>
    setting.variant?.startsWith(`\`${setting.path.split(".").at(-1)}:`) ? { ...setting, variant: null } : setting,
  );
}

function also(said: string, more: string): string {
  return said.split(", ").includes(more) ? said : `${said}, ${more}`;
}

/** For a setting shared by several variants, all of them: `kind: http`, `kind: kafka`. */
function bothOf(before: Setting, { variant }: Setting): string | null {
  return before.variant === null || variant === null ? null : also(before.variant, variant);
}

function typeOf(node: Node): string {
  if (node.const !== undefined) return `\`${node.const}\``;
  if (node.enum) return node.enum.map((word) => `\`${word}\``).join(", ");
  if (node.anyOf) return node.anyOf.map(typeOf).join(" or ");
  if (isDuration(node)) return "duration";
  if (node.type === "array") {
    return `list of ${node.items ? itemsOf(node.items) : "any"}`;
  }
  if (node.type === "object") return "map of strings";
  if (node.format === "uri") return "URL";
  if (node.pattern?.startsWith("^postgres")) return "Postgres URL";
  if (node.pattern?.endsWith(":\\/\\/") || node.pattern?.startsWith("^https?")) return "URL";
  if (node.pattern?.startsWith("^scrypt")) return "hash";
  if (node.pattern) return "name";
  if (node.type === "integer" || node.type === "number") return `${node.type}${rangeOf(node)}`;
  return [node.type ?? "any"].flat().join(" or ");
}

/** The items of a list, in the plural. */
function itemsOf(node: Node): string {
  if (node.anyOf) return [...new Set(node.anyOf.map(itemsOf))].join(" or ");
  if (node.const !== undefined) return `\`${node.const}\``;
  if (node.enum) return node.enum.map((word) => `\`${word}\``).join(", ");
  if (node.properties) return `\`{ ${Object.keys(node.properties).join(", ")} }\``;
  if (Array.isArray(node.type)) return node.type.map((type) => itemsOf({ ...node, type })).join(" or ");
  if (node.type === "null") return "null";
  const type = typeOf(node);
  return node.type === "string" ? "strings" : type.replace(/^\w+/, "$&s");
}

function rangeOf({ minimum, maximum }: Node): string {
  if (minimum === undefined) return "";
  return maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER
    ? `, from ${minimum}`
    : `, ${minimum} to ${maximum}`;
}

function fallbackOf(node: Node, needed: Needed): string {
  if (needed !== null) return needed === "always" ? "required" : `required with \`${needed.with}\``;
  if (node.default === undefined || node.default === null) return "";
  return `\`${typeof node.default === "string" ? node.default : JSON.stringify(node.default)}\``;
}

function isDuration({ type, isDuration: marked, default: value }: Node): boolean {
  return marked === true || (type === "string" && typeof value === "string" && DURATION.test(value));
}

function annotate(node: Node, path: string): Node {
  const join = (name: string) => (path === "" ? name : `${path}.${name}`);
  const { isDuration: _, ...result } = node;
  const meaning = MEANINGS[path];
  if (meaning) result.description = meaning.replaceAll("`", "");
  if (node.properties) {
    result.properties = Object.fromEntries(
      Object.entries(node.properties).map(([name, child]) => [name, annotate(child, join(name))]),
    );
  }
  if (typeof node.additionalProperties === "object")
    result.additionalProperties = annotate(
      node.additionalProperties,
      join(node.propertyNames?.enum ? "<role>" : "<name>"),
    );
  if (node.oneOf) result.oneOf = node.oneOf.map((part) => annotate(part, path));
  if (node.anyOf) result.anyOf = node.anyOf.map((part) => annotate(part, path));
  return orVariable(isDuration(node) ? { ...result, pattern: DURATION_PATTERN } : result);
}

function orVariable(node: Node): Node {
  if (node.type !== "string" || !(node.pattern || node.format) || node.const) return node;
  const { description, default: fallback, ...restriction } = node;
  return {
    ...(description ? { description } : {}),
    ...(fallback === undefined ? {} : { default: fallback }),
    anyOf: [restriction, { type: "string", pattern: "\\$\\{" }],
  };
}
