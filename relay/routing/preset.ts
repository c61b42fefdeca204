import type { MissingName } from "#domain/relay/route-template.ts";
import type { SinkConfig } from "#services/config/sinks/sink-schema.ts";
import type { RowTemplate } from "./name-values.ts";
import type { RoutedRow } from "./routed-row.ts";
import type { Routed } from "./router.ts";

/** One header and the source of its value; without a value the header is left out. */
export interface HeaderSource {
  name: string;
  value(row: RoutedRow, key: string | null): string | null;
  /** True if it carries the message's id, so that nothing may replace it. */
  carriesId?: true;
}

/** One way to present a message: its default topic, its headers, its body. */
export interface Preset {
  topic: RowTemplate;
  headers: readonly HeaderSource[];
  content(row: RoutedRow, key: string | null): Pick<Routed, "body" | "contentType"> | MissingName;
}

/** Headers in which consumers of the sink's kind look for the id, under every preset. */
export function idHeaders(sinkKind: SinkConfig["kind"]): HeaderSource[] {
  const names = sinkKind === "http" ? ["webhook-id", "event_id"] : ["event_id"];
  return names.map((name) => ({ name, value: (row) => row.message.eventId, carriesId: true }));
}
