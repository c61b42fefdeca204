/**
 * Templates of topics, keys and headers: `orders.{eventType:prefix:lower}`. `{{` and `}}` are literal braces. Syntax
 * and filters are checked when a template is parsed; whether a name has a value depends on the message.
 */
export interface RouteTemplate {
  source: string;
  parts: readonly (string | RoutePlaceholder)[];
}

interface RoutePlaceholder {
  name: string;
  filters: readonly RouteFilter[];
}

const FILTERS = {
  lower: (text: string) => text.toLowerCase(),
  upper: (text: string) => text.toUpperCase(),
  /** Text before the first dot; all of it if there is none. */
  prefix: (text: string) => (text.includes(".") ? text.slice(0, text.indexOf(".")) : text),
  /** Text after the last dot; all of it if there is none. */
  suffix: (text: string) => text.slice(text.lastIndexOf(".") + 1),
  kebab: (text: string) => inWords(text, "-"),
  snake: (text: string) => inWords(text, "_"),
} satisfies Record<string, (text: string) => string>;
type RouteFilter = keyof typeof FILTERS;

const PLACEHOLDER = /^([A-Za-z_][\w.-]*)((?::[^:]*)*)$/;

export class RouteTemplateError extends Error {
  override readonly name = "RouteTemplateError";
}

/** Throws RouteTemplateError, with a message for the template's author. */
export function parseRouteTemplate(source: string): RouteTemplate {
  const parts: (string | RoutePlaceholder)[] = [];
  let literal = "";
  for (let at = 0; at < source.length; ) {
    const char = source[at] ?? "";
    const doubled = source[at + 1] === char;
    if ((char === "{" || char === "}") && doubled) {
      literal += char;
      at += 2;
    } else if (char === "}") {
      throw new RouteTemplateError(`has a "}" without a "{"; write "}}" for the character itself`);
    } else if (char === "{") {
      const end = source.indexOf("}", at);
      if (end < 0) throw new RouteTemplateError(`has a "{" without a "}"; write "{{" for the character itself`);
      if (literal !== "") parts.push(literal);
      literal = "";
      parts.push(parsePlaceholder(source.slice(at + 1, end)));
      at = end + 1;
    } else {
      literal += char;
      at += 1;
    }
  }
  if (literal !== "") parts.push(literal);
  if (parts.length === 0) throw new RouteTemplateError("is empty");
  return { source, parts };
}

function parsePlaceholder(text: string): RoutePlaceholder {
  const [, name, filters = ""] = PLACEHOLDER.exec(text) ?? [];
  if (name === undefined) throw new RouteTemplateError(`"{${text}}" is not {name} or {name:filter}`);
  return { name, filters: filters.split(":").slice(1).map(filterNamed) };
}

function filterNamed(name: string): RouteFilter {
  if (Object.hasOwn(FILTERS, name)) return name as RouteFilter;
  throw new RouteTemplateError(`has an unknown filter "${name}"; available: ${Object.keys(FILTERS).join(", ")}`);
}

/** Null for a valid template; otherwise what is wrong with it. */
export function whyNoRouteTemplate(source: string): string | null {
  try {
    parseRouteTemplate(source);
    return null;
  } catch (error) {
    if (error instanceof RouteTemplateError) return error.message;
    throw error;
  }
}

/** Returned if a name in the template has no value or an empty one. */
export interface MissingName {
  missing: string;
}

/** Looks up the template's names once, so that rendering a message only joins texts. */
export function compileRouteTemplate<Source>(
  template: RouteTemplate,
  lookUp: (name: string) => (source: Source) => string | null,
): (source: Source) => string | MissingName {
  const parts = template.parts.map((part) => compilePart(part, lookUp));
  const [only] = parts;
  if (only && parts.length === 1) return only;
  return (source) => {
    let text = "";
    for (const part of parts) {
      const rendered = part(source);
      if (typeof rendered !== "string") return rendered;
      text += rendered;
    }
    return text;
  };
}

function compilePart<Source>(
  part: string | RoutePlaceholder,
  lookUp: (name: string) => (source: Source) => string | null,
): (source: Source) => string | MissingName {
  if (typeof part === "string") return () => part;
  const value = lookUp(part.name);
  const missing = { missing: part.name };
  if (part.filters.length === 0) return (source) => value(source) || missing;
  return (source) => part.filters.reduce((text, filter) => FILTERS[filter](text), value(source) ?? "") || missing;
}

/**
 * Joins the words of a text in lower case. `OrderLine`, `order_line` and `order line` are the same words; dots stay.
 */
function inWords(text: string, separator: string): string {
  return text
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[\s_-]+/g, separator)
    .toLowerCase();
}
