import type { StreamOptions } from "#db/stores/port/store.ts";
import type { CdcConfig } from "./relay-schema.ts";

/** Slot and publication of an outbox: as configured, else named after it. */
export function cdcNames(outbox: string, { slot, publication, mark }: CdcConfig): StreamOptions {
  // Slots take fewer characters than outboxes.
  const name = `outbox_console_${outbox.replaceAll("-", "_")}`.slice(0, 63);
  return { reader: slot ?? name, feed: publication ?? name, mark };
}
