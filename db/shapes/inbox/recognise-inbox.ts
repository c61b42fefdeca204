import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { InboxMapping } from "../../stores/port/inbox-mapping.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { offsetOfPositionKey } from "../columns/position-key.ts";
import { saysInward } from "../columns/table-name.ts";
import { timeEncodingOf } from "../columns/time-encoding.ts";
import { placeholderOf } from "../columns/unset-default.ts";
import { findLibrary } from "../find-library.ts";
import { knownToolOf } from "../known-tools.ts";
import { isAnswer } from "../lifecycle/answer-codes.ts";
import { directionOf } from "../lifecycle/both-directions.ts";
import { otherKindOf } from "../other-kinds.ts";
import { unaccented } from "../words/concepts.ts";
import { hasConcept, type NameWord, wordsOf } from "../words/name-words.ts";
import { type InboxRole, inboxColumns } from "./inbox-columns.ts";
import { type InboxAnswers, readStates } from "./read-states.ts";
import { recogniseLibraryInbox } from "./recognise-library-inbox.ts";

export const INBOX =
  /inbox|bandeja(de)?entrada|buzon(de)?entrada|caixa(de)?entrada|postainarrivo|posteingang|eingangskorb|eingangs?(nachricht|ereignis)|eingehende(nachricht|ereignis)|boite(de)?reception|gelen(ler)?kutusu|kotakmasuk|shoujianxiang/;
export const DONE =
  /processed|proces|handled|consumed|received|seen|dedup|duplicate|idempoten|procesad|processad|consumid|recibid|recebid|elaborat|verarbeitet|empfangen|traite|recu|ricevut|verwerkt|ontvangen|przetworz|otrzyman|islenen|islenmis|alinan(mesaj|olay|ileti|bildirim)|diproses|diterima|kasitel|vastaanot|chulide|yichuli|recv|rcvd|jushin|jyushin/;

/** What stands beside an inbox, or beside one that people read. */
export const BESIDE =
  /archive|deadletter|dlq|history|failed|(position|offset|cursor|checkpoint|watermark|lock|lease|heartbeat|thread|folder|label|rule|setting|preference|member|participant|attachment)s?$/;

/** The mapping of an inbox or processed-events table; undefined if the table looks like neither. */
export function recogniseInbox(table: CatalogTable, answers?: InboxAnswers): InboxMapping | undefined {
  if (answers) return recognised(withoutIgnored(table, answers), answers);
  if (!mappings.has(table)) mappings.set(table, recognised(table, null));
  return mappings.get(table);
}

function withoutIgnored(table: CatalogTable, { ignoredColumns = [] }: InboxAnswers): CatalogTable {
  if (ignoredColumns.length === 0) return table;
  const keys = [table.primaryKey, ...table.uniqueKeys].flat();
  const isRead = (name: string) => !ignoredColumns.includes(name) || keys.includes(name);
  return { ...table, columns: table.columns.filter(({ name }) => isRead(name)) };
}

/** A column of a key stays in the key: it says nothing of processing if it is ignored. */
function statesOf(
  table: CatalogTable,
  columns: Partial<Record<InboxRole, CatalogColumn>>,
  answers: InboxAnswers,
): ReturnType<typeof readStates> {
  const { ignoredColumns = [] } = answers;
  if (ignoredColumns.length === 0) return readStates(table, columns, answers);
  const isRead = ({ name }: CatalogColumn) => !ignoredColumns.includes(name);
  const roles = Object.fromEntries(Object.entries(columns).filter(([, column]) => isRead(column)));
  return readStates({ ...table, columns: table.columns.filter(isRead) }, roles, answers);
}

/** A table is asked about by several, and read again each minute as another object. */
const mappings = new WeakMap<CatalogTable, InboxMapping | undefined>();

function recognised(table: CatalogTable, answers: InboxAnswers | null): InboxMapping | undefined {
  const configured = answers !== null;
  const library = recogniseLibraryInbox(table);
  if (library) return library;
  if (!configured && (findLibrary(table)?.byName || !looksLikeInbox(table))) return undefined;
  const columns = inboxColumns(table);
  const offset = columns.messageId ? null : offsetOfPositionKey(table);
  // Without the word of a person it may be any log of records: see positionQuestion.
  if (offset && !configured) return undefined;
  const messageId = columns.messageId ?? offset;
  const key = keyOf(table);
  if (!messageId || key.length === 0) return undefined;
  if (!configured && (onlyRequests(table, messageId) || saysNothingOfMessages(messageId, columns, table)))
    return undefined;
  const states = statesOf(table, columns, answers ?? {});
  const { mark } = states;
  return {
    table: { schema: table.schema, name: table.name },
    primaryKey: key.map(toMapped),
    messageId: toMapped(messageId),
    ...(offset ? { byPosition: true as const } : {}),
    consumer: optional(columns.consumer),
    eventType: optional(columns.eventType),
    receivedAt: optional(columns.receivedAt),
    // A time that every row has and that may be none is no time to show or to search by.
    processedAt: isUnsetAtFirst(columns.processedAt) ? null : optional(columns.processedAt),
    tracksProcessing: mark.kind === "time" ? !mark.always || columns.error !== undefined : mark.kind !== "none",
    ...states,
    error: optional(columns.error),
    ...(columns.error ? { errorStays: true as const } : {}),
    shape: INBOX.test(plain(table.name)) ? "inbox" : "processed-events",
  };
}

/** The primary key, otherwise a unique key of columns that are never null. */
function keyOf({ primaryKey, uniqueKeys, columns }: CatalogTable): CatalogColumn[] {
  const named = (names: readonly string[]) => columns.filter(({ name }) => names.includes(name));
  const unique = uniqueKeys.find((names) => named(names).every(({ nullable }) => !nullable));
  const names = primaryKey.length > 0 ? primaryKey : (unique ?? []);
  return names.flatMap((name) => named([name]));
}

export const plain = (name: string) =>
  unaccented(name)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");

function looksLikeInbox(table: CatalogTable): boolean {
  const name = plain(table.name);
  if (BESIDE.test(name) || knownToolOf(table)) return false;
  // What the consumers of an outbox have done.
  if (/outbox/.test(name) && !table.columns.some((column) => isConsumer(column.name))) return false;
  const isKeys = /idempoten|dedup/.test(name);
  const isAbout = isAboutEvents(wordsOf(table.name));
  const isKept = DONE.test(name) && (isKeys || isAbout || hasKeyAndReader(table));
  const isRead = saysConsuming(table.name) && isKeyedByReader(table);
  const isNamed =
    INBOX.test(name) || isKept || isRead || (isAbout && saysInward(table.name) && hasKeyAndReceipt(table));
  return isNamed && otherKindOf(withoutAnswers(table)).byColumns < 2 && !directionOf(table);
}

/** What a handler answered is read beside the mark, where the name and a column speak of messages. */
function withoutAnswers(table: CatalogTable): Pick<CatalogTable, "name" | "columns"> {
  if (!INBOX.test(plain(table.name)) || !table.columns.some(isKeyOfMessage)) return table;
  return { name: table.name, columns: table.columns.filter((column) => !isAnswer(table, column)) };
}

const isKeyOfMessage = ({ name }: CatalogColumn) => {
  const words = wordsOf(name);
  const isId = words.some(({ concepts }) => concepts.includes("id"));
  return isId && (isAboutEvents(words) || words.some(({ text }) => text === "command"));
};

/** `processed_operations (message_id, consumer)`: by its columns messages were processed. */
const hasKeyAndReader = ({ columns }: CatalogTable) =>
  columns.some(isKeyOfMessage) && columns.some(({ name }) => isConsumer(name));

/** `mq_consume_log`, `outbox_consumptions`. */
const saysConsuming = (name: string) => wordsOf(name).some(({ text }) => /^(consume|consumptions?)$/.test(text));

const MESSAGES = ["event", "message", "outbox"] as const;
const saysMessage = ({ name }: CatalogColumn) => MESSAGES.some((concept) => hasConcept(wordsOf(name), concept));

/** A unique key has a message and its consumer: that is how a repeated message is known. */
function isKeyedByReader(table: CatalogTable): boolean {
  const { messageId, consumer } = inboxColumns(table);
  if (!messageId || !consumer || !saysMessage(messageId)) return false;
  return [table.primaryKey, ...table.uniqueKeys].some(
    (key) => key.includes(messageId.name) && key.includes(consumer.name),
  );
}

/** `inbound_messages (message_id, received_at)`. */
const hasKeyAndReceipt = ({ columns }: CatalogTable) =>
  columns.some(isKeyOfMessage) &&
  columns.some(({ name }) => wordsOf(name).some(({ concepts }) => concepts.includes("received")));

export function isAboutEvents(words: readonly NameWord[]): boolean {
  return words.some(({ concepts }) => concepts.includes("event") || concepts.includes("message"));
}

/** Keys of a table that names neither events nor consumers are those of requests. */
function onlyRequests(table: CatalogTable, messageId: CatalogColumn): boolean {
  if (!/idempoten|dedup/.test(plain(table.name))) return false;
  const words = [...wordsOf(table.name), ...wordsOf(messageId.name)];
  return !isAboutEvents(words) && !table.columns.some(({ name }) => isConsumer(name));
}

/** `inbox (id, sender, summary)`: a key and a date make no inbox of messages. */
function saysNothingOfMessages(
  messageId: CatalogColumn,
  { consumer, eventType, processedAt, processed }: Partial<Record<InboxRole, CatalogColumn>>,
  { columns }: CatalogTable,
): boolean {
  if (isAboutEvents(wordsOf(messageId.name)) || consumer || eventType || processedAt || processed) return false;
  return !columns.some(({ name }) => wordsOf(name).some(({ concepts }) => concepts.includes("payload")));
}

const isConsumer = (name: string) => wordsOf(name).some(({ concepts }) => concepts.includes("consumer"));

const isUnsetAtFirst = (column: CatalogColumn | undefined) =>
  column !== undefined && !column.nullable && placeholderOf(column) !== null;

function optional(column: CatalogColumn | undefined): MappedColumn | null {
  return column ? toMapped(column) : null;
}

function toMapped(column: CatalogColumn): MappedColumn {
  const time = timeEncodingOf(column, "UTC");
  return { name: column.name, type: column.type, nullable: column.nullable, ...(time ? { time } : {}), from: "shape" };
}
