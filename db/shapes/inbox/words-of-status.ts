import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { labelsOf } from "../columns/code-labels.ts";
import { shownWords, statusLifecycle } from "../lifecycle/status-lifecycle.ts";

/** What the configuration says of the words of a status. */
export interface InboxWords {
  waiting?: readonly string[] | undefined;
  processed?: readonly string[] | undefined;
  failed?: readonly string[] | undefined;
}

export type StatusWords = NonNullable<ReturnType<typeof wordsOfStatus>>;

/** What the words of an inbox's status mean; null without words that are known or asked for. */
export function wordsOfStatus(
  table: CatalogTable,
  column: MappedColumn,
  { waiting, processed, failed: bad }: InboxWords = {},
) {
  const said = {
    ...(waiting ? { pending: [...waiting] } : {}),
    ...(processed ? { published: [...processed] } : {}),
    ...(bad ? { failed: [...bad] } : {}),
  };
  const lifecycle = statusLifecycle(column, table, {
    columns: {},
    timeZone: "UTC",
    lifecycle: { kind: "status", ...said },
  });
  if (lifecycle.kind !== "status") return null;
  const shown = shownWords(table, column.name);
  const labels = labelsOf(table, column.name) ?? {};
  const arrived = shown.filter((word) => ARRIVED.test(labels[word] ?? word));
  const { pending, inFlight, failed, published, dead } = lifecycle;
  const first = pending.filter((word) => word !== null);
  const known = [...first, ...inFlight, ...failed, ...published, ...dead, ...arrived];
  const unknown = shown.filter((word) => !known.includes(word));
  const isAnswered = processed !== undefined;
  return { column, processed: published, failed: [...failed, ...dead], known, unknown, isAnswered };
}

/** A message that was received waits. */
const ARRIVED =
  /^(received|arrived|accepted|recibido|recebido|ricevuto|recu|reçu|empfangen|eingegangen|ontvangen|otrzymane)$/i;
