import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import { plainName } from "../columns/plain-name.ts";
import { offsetOfPositionKey } from "../columns/position-key.ts";
import { saysInward } from "../columns/table-name.ts";
import { findLibrary } from "../find-library.ts";
import { knownToolOf } from "../known-tools.ts";
import { directionOf } from "../lifecycle/both-directions.ts";
import { otherKindOf } from "../other-kinds.ts";
import { hasConcept, wordsOf } from "../words/name-words.ts";
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

/**
 * Its name says that messages arrive, or whose they are and a column that they do, and its columns what was done with
 * them.
 */
function arrivalsQuestion(table: CatalogTable): string | null {
  const name = plain(table.name);
  const words = wordsOf(table.name);
  const isOfBroker = hasConcept(words, "broker");
  const { messageId, receivedAt, processedAt, processed, status } = inboxColumns(table);
  const isOfMessages = messageId !== undefined && isAboutEvents(wordsOf(plainName(table, messageId.name)));
  const isAbout = isAboutEvents(words) || isOfMessages;
  const isNamed = (isAbout && (saysInward(table.name) || isOfBroker)) || ARRIVALS.test(name);
  if (!isNamed || BESIDE.test(name) || knownToolOf(table) || findLibrary(table)?.byName || directionOf(table))
    return null;
  if (!saysInward(table.name) && !ARRIVALS.test(name) && !saysReceived(receivedAt)) return null;
  if (!messageId || !receivedAt || !(processedAt || processed || status)) return null;
  if (!hasPayload(table) && !(isOfMessages && saysReceived(receivedAt))) return null;
  return `${table.schema}.${table.name} looks like an inbox by its columns: do messages of other services arrive in it? Its rows are then known by ${messageId.name}.`;
}

/** `receive_time`, and not the creation time that every table has. */
const saysReceived = (column: CatalogColumn | undefined) =>
  column !== undefined && hasConcept(wordsOf(column.name), "received");

const hasPayload = ({ columns }: CatalogTable) =>
  columns.some(({ name }) => wordsOf(name).some(({ concepts }) => concepts.includes("payload")));
