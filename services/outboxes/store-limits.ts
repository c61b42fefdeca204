import type { StoreCapabilities } from "#db/stores/port/capabilities.ts";

/** Sentences: limits of this kind of store, for any table. */
export function limitsOf({ relays, exactCounts, orderBy, findsTraces }: StoreCapabilities): string[] {
  return [
    ...(relays ? [] : ["No relay of this console publishes from this kind of store: another program does."]),
    ...(exactCounts
      ? []
      : ["Counts are exact while the table is small; of a larger one they are estimates or lower bounds."]),
    ...(findsTraces === true ? [] : [findsTraces.no]),
    ...(orderBy === "any" ? [] : ["Lists of a large table show what an index or a key finds, and nothing else."]),
  ];
}
