import type { StreamOptions } from "#db/stores/port/store.ts";
import type { CdcConfig } from "./relay-schema.ts";

/** Slot and publication of an outbox: as configured, otherwise named after the outbox. */
export function cdcNames(outbox: string, { slot, publication, mark }: CdcConfig): StreamOptions {
  // Slot names allow fewer characters than outbox names.
  const name = `outbox_console_${outbox.replaceAll("-", "_")}`.slice(0, 63);
  return { reader: slot ?? name, feed: publication ?? name, mark };
}
