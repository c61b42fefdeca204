import type { OutgoingMessage } from "#db/stores/port/relay/outgoing-message.ts";
import { compileRouteTemplate, type MissingName, parseRouteTemplate } from "#domain/relay/route-template.ts";
import type { RoutedRow } from "./routed-row.ts";

export type RowTemplate = (row: RoutedRow) => string | MissingName;

const ROLES: Record<string, (message: OutgoingMessage) => string | null> = {
  id: (message) => message.eventId,
  eventId: (message) => message.eventId,
  aggregateType: (message) => message.aggregateType,
  aggregateId: (message) => message.aggregateId,
  eventType: (message) => message.eventType,
  topic: (message) => message.topic,
  createdAt: (message) => message.createdAt,
};

/**
 * A name is a role, otherwise an additional column (`route.fields`), otherwise one of the row's own headers: the first
 * with a value.
 */
function valueOfName(name: string): (row: RoutedRow) => string | null {
  const role = Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;
  return (row) => {
    const value = role?.(row.message) || fieldOf(row.message, name);
    if (value) return value;
    return row.message.headers !== null && Object.hasOwn(row.own, name) ? (row.own[name] ?? null) : null;
  };
}

function fieldOf({ fields }: OutgoingMessage, name: string): string | null {
  return fields && Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
}

/** Throws RouteTemplateError, which the configuration's check has ruled out. */
export function compileRowTemplate(source: string): RowTemplate {
  return compileRouteTemplate(parseRouteTemplate(source), valueOfName);
}
