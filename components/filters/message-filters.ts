import { MESSAGE_STATES, type MessageState } from "#domain/message/message-state.ts";
import { type RangeKey, readRange } from "./ranges.ts";

export type MessageTab = MessageState | "unsent" | "failing" | "all";

/** Every filter except the tab, named as in the API and in the address. */
export const FILTER_FIELDS = [
  "q",
  "eventType",
  "aggregateType",
  "aggregateId",
  "error",
  "group",
  "errorCode",
  "attemptsMin",
  "traceId",
  "from",
  "to",
] as const;
export type FilterField = (typeof FILTER_FIELDS)[number];

export interface MessageFilters {
  state: MessageTab;
  /** As typed: the server reports an invalid value, and its chip stays until it is removed. */
  fields: Readonly<Partial<Record<FilterField, string>>>;
  /** The range that `from` was chosen as, while nothing else bounds the time. */
  last?: RangeKey | undefined;
}

export const FILTER_LABELS: Record<FilterField, string> = {
  q: "matches",
  eventType: "type",
  aggregateType: "aggregate type",
  aggregateId: "aggregate",
  error: "error has",
  group: "group",
  errorCode: "error code",
  attemptsMin: "attempts ≥",
  traceId: "trace",
  from: "created from",
  to: "created before",
};

export function readFilters(params: URLSearchParams): MessageFilters {
  const fields: Partial<Record<FilterField, string>> = {};
  for (const field of FILTER_FIELDS) {
    const value = params.get(field);
    if (value) fields[field] = value;
  }
  const last = fields.from !== undefined && fields.to === undefined ? readRange(params.get("last")) : undefined;
  return { state: readTab(params.get("state")), fields, ...(last && { last }) };
}

/** The same address with other filters, without the old list's page and open message. */
export function writeFilters(params: URLSearchParams, filters: MessageFilters): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of ["state", "cursor", "at", "message", "last", ...FILTER_FIELDS]) next.delete(name);
  if (filters.state !== "unsent") next.set("state", filters.state);
  for (const field of FILTER_FIELDS) {
    const value = filters.fields[field]?.trim();
    if (value) next.set(field, value);
  }
  if (filters.last !== undefined && next.has("from") && !next.has("to")) next.set("last", filters.last);
  return next;
}

/** A search by text or trace covers all states; another filter keeps the current state. */
export function withSearch(filters: MessageFilters, fields: MessageFilters["fields"]): MessageFilters {
  const searches = fields.q !== undefined || fields.traceId !== undefined;
  const bounds = fields.from !== undefined || fields.to !== undefined;
  return {
    state: searches ? "all" : filters.state,
    fields: { ...filters.fields, ...fields },
    ...(filters.last !== undefined && !bounds && { last: filters.last }),
  };
}

export function withField(filters: MessageFilters, field: FilterField, value: string | undefined): MessageFilters {
  const { [field]: _, ...rest } = filters.fields;
  const bounds = field === "from" || field === "to";
  return {
    ...filters,
    fields: value ? { ...rest, [field]: value } : rest,
    ...(bounds ? { last: undefined } : {}),
  };
}

function readTab(value: string | null): MessageTab {
  return value === "all" || value === "failing" ? value : (MESSAGE_STATES.find((state) => state === value) ?? "unsent");
}
