import type { OutboxFigures } from "#db/stores/port/outbox-figures.ts";

/**
 * A primary that writes nothing sends nothing either, and a standby that is restarted connects again within seconds.
 */
const STALE_SECONDS = 60;

/** Why the rows may not be those of now, as a clause; null if they are. */
export function staleRows({
  asOf,
  clockAt,
  standsStill,
}: Pick<OutboxFigures, "asOf" | "clockAt" | "standsStill">): string | null {
  const behindSeconds = (Date.parse(clockAt) - Date.parse(asOf)) / 1000;
  if (!standsStill || behindSeconds < STALE_SECONDS) return null;
  return `the server is a standby that gets no changes from its primary or does not apply them, and its rows are those of ${asOf.slice(0, 19).replace("T", " ")} UTC`;
}
