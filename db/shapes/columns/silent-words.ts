import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { isSubStatus } from "../lifecycle/partial-failures.ts";
import { type Columns, markOf, type RowMark } from "../lifecycle/row-marks.ts";
import { defaultWordOf } from "../lifecycle/status-lifecycle.ts";
import { wordsOf } from "../words/name-words.ts";
import { meaningOf } from "../words/status-words.ts";
import { plainName } from "./plain-name.ts";
import { unlikeFirst } from "./silent-flags.ts";
import { unmarkedColumns } from "./unread-columns.ts";
import { isEmptyText } from "./unset-default.ts";

/** Words by which a person or a program keeps a row from being sent, whatever the column is called. */
const NOT_SENT =
  /^(none|off|never|disabled|inactive|manual|dry|dryrun|simulat(e|ed|ion)|hold|onhold|held|paused|suspended|draft|skip|skipped|ignored?|suppress(ed)?|blocked|cancell?ed|voided|withdrawn|in|inbound|incoming|inbox)$/;
/** Of how the message is written or kept. */
const OF_FORM =
  /^(compression|encryption|encoding|codec|format|priority|retention|auth|ordering|visibility|signature)$/;
/**
 * Of what somebody decided about the row, and of where it holds: listed or not, another word than a new row has may
 * keep it back.
 */
const OF_DECISION = /^(disposition|resolution|verdict|decision|lifecycle|moderation)$/;
const OF_PLACE = /^(environment|env|stage|mode|modus|umgebung|entorno|ambiente)$/;
/** `delivery_mode` of AMQP, `content_mode` of CloudEvents: the mode in which a message is sent, not whether. */
const OF_SENDING =
  /^(delivery|content|ack|acknowledge|acknowledgement|confirm|transport|serialization|serialisation)(mode|modus)$/;
const TEXTS: readonly CatalogColumn["family"][] = ["text", "words", "compact"];
/** What is to be done with the message, and not what happened: `action DEFAULT 'send'` beside `cancel`. */
const SENDS = /^(send|publish|deliver|dispatch|relay|emit|forward|push)$/;
const plain = (word: string) => word.toLowerCase().replace(/[^a-z]/g, "");

/**
 * Listed words beside the mark (`mode` of live, test and dry-run) of rows still to be sent: a row with one that speaks
 * against sending may be left by its relay. Whoever confirms the published mark knows. `read`: columns that say
 * something else.
 */
export function unreadWords(
  table: CatalogTable,
  columns: Columns,
  read: readonly MappedColumn[],
  zone: string,
): RowMark[] {
  return unmarkedColumns(table, columns, read)
    .filter(({ generated }) => !generated)
    .filter(({ name }) => !wordsOf(plainName(table, name)).some(({ text }) => OF_FORM.test(text)))
    .flatMap((column) => {
      const first = defaultWordOf(table, column.name);
      const decided = decidedWord(table, column, first, zone);
      if (decided) return [decided];
      if (first !== undefined && TEXTS.includes(column.family) && SENDS.test(plain(first)))
        return [unlikeFirst(column, first, zone)];
      const words = table.words[column.name] ?? [];
      const against = words.filter((word) => NOT_SENT.test(plain(word)) || meaningOf(word) === "dead");
      if (first === undefined || against.length === 0 || against.includes(first)) return [];
      const mark = markOf("withdrawn", column, zone);
      const says = `${column.name} is ${against.join(" or ")}, until this is answered`;
      return [{ ...mark, holds: { column: mark.column, in: against }, says }];
    });
}

/** `disposition text`, `mode text DEFAULT 'live'`: of listed words those that speak against sending are known. */
function decidedWord(
  table: CatalogTable,
  column: CatalogColumn,
  first: string | undefined,
  zone: string,
): RowMark | null {
  if (!TEXTS.includes(column.family)) return null;
  const words = wordsOf(plainName(table, column.name)).map(({ text }) => text);
  const last = words.at(-1) ?? "";
  const isDecision = OF_DECISION.test(last) || isSubStatus(table, column);
  if (!isDecision && (!OF_PLACE.test(last) || OF_SENDING.test(words.join("")))) return null;
  if (first !== undefined) return unlikeFirst(column, first, zone, table.words[column.name]);
  if (!isDecision || !isEmptyText(column)) return null;
  const mark = markOf("withdrawn", column, zone);
  return {
    ...mark,
    holds: { column: mark.column, is: "filled" },
    says: `${column.name} has a word, until this is answered`,
  };
}
