import type { MissingName } from "#domain/route-template.ts";
import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import type { RowTemplate } from "./name-values.ts";
import type { RoutedRow } from "./routed-row.ts";
import type { Routed } from "./router.ts";

/** One header and where its value comes from; without a value it is left out. */
export interface HeaderSource {
  name: string;
  value(row: RoutedRow, key: string | null): string | null;
  /** It carries the message's id: nothing replaces it. */
  carriesId?: true;
}

/** One way to present a message: its topic by default, its headers, its body. */
export interface Preset {
  topic: RowTemplate;
  headers: readonly HeaderSource[];
  content(row: RoutedRow, key: string | null): Pick<Routed, "body" | "contentType"> | MissingName;
}

/** Consumers of each kind look for the id under these names, whatever the preset. */
export function idHeaders(sinkKind: SinkConfig["kind"]): HeaderSource[] {
  const names = sinkKind === "http" ? ["webhook-id", "event_id"] : ["event_id"];
  return names.map((name) => ({ name, value: (row) => row.message.eventId, carriesId: true }));
}
