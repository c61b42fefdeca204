import type { CatalogTable } from "../../stores/port/catalog.ts";
import { offsetOfPositionKey } from "../columns/position-key.ts";
import { saysInward } from "../columns/table-name.ts";
import { findLibrary } from "../find-library.ts";
import { knownToolOf } from "../known-tools.ts";
import { directionOf } from "../lifecycle/both-directions.ts";
import { otherKindOf } from "../other-kinds.ts";
import { wordsOf } from "../words/name-words.ts";
import { inboxColumns } from "./inbox-columns.ts";
import { BESIDE, DONE, INBOX, isAboutEvents, plain, recogniseInbox } from "./recognise-inbox.ts";

/** Sentence: what a person has to answer about a table that may be an inbox; null if it is one, or surely none. */
export function inboxQuestion(table: CatalogTable): string | null {
  if (recogniseInbox(table) || otherKindOf(table).byColumns >= 2) return null;
  return positionQuestion(table) ?? arrivalsQuestion(table);
}

/** Its key is a place in a topic, and its name says that something was received or processed. */
function positionQuestion(table: CatalogTable): string | null {
  const name = plain(table.name);
  const isNamed = INBOX.test(name) || DONE.test(name);
  if (!isNamed || !offsetOfPositionKey(table)) return null;
  return `${table.schema}.${table.name} may be an inbox that knows records by topic, partition and offset: is it one? Its rows can be listed and counted, and not matched with messages of an outbox.`;
}

const ARRIVALS =
  /^(t|tbl|tb|app)?(eingang|eingaenge|entrada|entradas|entrees|arrivees|ingang|przychodzace|gelen|incoming|inbound|innkommende|inngaende)$/;

/** Its name says that messages arrive, and its columns what was done with them. */
function arrivalsQuestion(table: CatalogTable): string | null {
  const name = plain(table.name);
  const isNamed = (isAboutEvents(wordsOf(table.name)) && saysInward(table.name)) || ARRIVALS.test(name);
  if (!isNamed || BESIDE.test(name) || knownToolOf(table) || findLibrary(table)?.byName || directionOf(table))
    return null;
  const { messageId, receivedAt, processedAt, processed, status } = inboxColumns(table);
  if (!messageId || !receivedAt || !(processedAt || processed || status) || !hasPayload(table)) return null;
  return `${table.schema}.${table.name} looks like an inbox by its columns: do messages of other services arrive in it? Its rows are then known by ${messageId.name}.`;
}

const hasPayload = ({ columns }: CatalogTable) =>
  columns.some(({ name }) => wordsOf(name).some(({ concepts }) => concepts.includes("payload")));
