import { parseTraceparent } from "#domain/relay/trace-context.ts";
import type { FilterField } from "./message-filters.ts";

const NAMES: Record<string, FilterField> = {
  id: "q",
  type: "eventType",
  aggregatetype: "aggregateType",
  aggregate: "aggregateId",
  error: "error",
  group: "group",
  code: "errorCode",
  attempts: "attemptsMin",
  trace: "traceId",
  from: "from",
  to: "to",
};

/**
 * Parses a line of the filter field: `type:order.placed attempts:3` sets two filters; any other text is looked up as a
 * whole as an id, an aggregate or a type, which may contain spaces and colons. A `traceparent` is looked up as a trace.
 * Quotes keep spaces: `error:"no rate"`.
 */
export function parseFilterText(text: string): Partial<Record<FilterField, string>> {
  const line = text.trim();
  if (/^[\da-f]{2}-[\da-f-]+$/i.test(line) && parseTraceparent(line)) return { traceId: line };
  const token = /([a-z]+):(?:"([^"]*)"|(\S+))\s*/giy;
  const found: Partial<Record<FilterField, string>> = {};
  let end = 0;
  for (let match = token.exec(line); match !== null; match = token.exec(line)) {
    const field = NAMES[(match[1] ?? "").toLowerCase()];
    if (field === undefined) return { q: line };
    found[field] = normaliseValue(field, match[2] ?? match[3] ?? "");
    end = token.lastIndex;
  }
  const rest = line.slice(end);
  return rest === "" ? found : { ...found, q: rest };
}

/** ">=3" and "≥3" mean 3; a day or a minute without a zone is UTC, as everywhere in the console. */
export function normaliseValue(field: FilterField, value: string): string {
  const text = value.trim();
  if (field === "attemptsMin") return text.replace(/^(>=|≥)\s*/, "");
  if (field !== "from" && field !== "to") return text;
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`;
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d$/.test(text)) return `${text.replace(" ", "T")}:00Z`;
  return text;
}
