import type { AppError } from "#domain/errors.ts";
import type { FactLimits, GatheredFacts, OutboxWatch } from "../../port/outbox-watch.ts";
import { askingWith } from "../connection/asking-with.ts";

/** The watch of an outbox, from an engine's reads and its translation of a driver's errors. */
export function watchWith(
  of: string,
  toStoreError: (error: unknown, of: string) => AppError,
  reads: { gather(limits: FactLimits): Promise<GatheredFacts>; noWrites: OutboxWatch["noWrites"] },
): OutboxWatch {
  const asking = askingWith(toStoreError);
  return {
    async facts(limits) {
      const { unread, ...gathered } = await asking(of, () => reads.gather(limits));
      return { ...gathered, unread: unread.map(({ fact, error }) => ({ fact, error: toStoreError(error, of) })) };
    },
    noWrites: () => asking(of, reads.noWrites),
  };
}
