type Schema = Record<string, unknown>;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema?: Schema;
}

interface Content {
  content?: Record<string, { schema?: Schema }>;
  description?: string;
}

interface Operation {
  summary?: string;
  parameters?: readonly Parameter[];
  requestBody?: Content;
  responses?: Record<string, Content>;
}

interface ApiDocument {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
}

/** A page of all endpoints of an OpenAPI document, in its order: purpose, parameters, request and answer of each. */
export function describeApi(document: Record<string, unknown>): string {
  const { info, paths } = document as unknown as ApiDocument;
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => describeEndpoint(method, path, operation)),
  );
  return [
    "# Every endpoint",
    "",
    `Of version ${info.version}, from the document that the console serves at \`/api/openapi.json\`. That document has every schema whole; [HTTP API](api.md) has examples and the errors.`,
    "",
    ...endpoints,
  ].join("\n");
}

function describeEndpoint(method: string, path: string, operation: Operation): string {
  const { summary, parameters = [], requestBody, responses = {} } = operation;
  const [code, answer] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  return [
    `## \`${method.toUpperCase()} ${path}\``,
    "",
    `${summary ?? ""}.`,
    "",
    ...(parameters.length > 0 ? [describeParameters(parameters), ""] : []),
    ...describeBody("Body", requestBody),
    ...(code === undefined ? [] : describeBody(`Answer ${code}`, answer)),
  ].join("\n");
}

function describeParameters(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, required, schema, description }) =>
      `| \`${name}\` | ${place} | ${required ? "yes" : "no"} | ${cell(description ?? typeOf(schema))} |`,
  );
  return ["| parameter | in | required | value |", "|---|---|---|---|", ...rows].join("\n");
}

/** The fields of the first level; the document that the console serves has the rest. */
function describeBody(title: string, content: Content | undefined): string[] {
  const [type, described] = Object.entries(content?.content ?? {})[0] ?? [];
  if (type === undefined) return [];
  const { properties, required } = (described?.schema ?? {}) as {
    properties?: Record<string, Schema>;
    required?: string[];
  };
  if (type !== "application/json" || !properties) return [`${title}: \`${type}\`.`, ""];
  const rows = Object.entries(properties).map(
    ([name, schema]) => `| \`${name}\` | ${required?.includes(name) ? "yes" : "no"} | ${cell(typeOf(schema))} |`,
  );
  return [`| ${title} | always | value |`, "|---|---|---|", ...rows, ""];
}

function typeOf(schema: Schema | undefined): string {
  if (!schema) return "";
  const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (Array.isArray(choices)) return choices.map((choice) => `\`${choice}\``).join(", ");
  const { type, minimum, maximum, items, anyOf, description } = schema;
  if (typeof description === "string") return description;
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(typeOf))].join(" or ");
  if (type === "array") return `list of ${typeOf(items as Schema | undefined) || "values"}`;
  const range = typeof minimum === "number" && typeof maximum === "number" ? `, ${minimum} to ${maximum}` : "";
  return `${[type].flat().join(" or ")}${range}`;
}

/** Pipes and line ends would break the table. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}
