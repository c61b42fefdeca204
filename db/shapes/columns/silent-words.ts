import type { CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import { type Columns, markOf, type RowMark } from "../lifecycle/row-marks.ts";
import { defaultWordOf } from "../lifecycle/status-lifecycle.ts";
import { wordsOf } from "../words/name-words.ts";
import { meaningOf } from "../words/status-words.ts";
import { plainName } from "./plain-name.ts";
import { unmarkedColumns } from "./unread-columns.ts";

/** Words by which a person or a program keeps a row from being sent, whatever the column is called. */
const NOT_SENT =
  /^(none|off|never|disabled|inactive|manual|dry|dryrun|simulat(e|ed|ion)|hold|onhold|held|paused|suspended|draft|skip|skipped|ignored?|suppress(ed)?|blocked|cancell?ed|voided|withdrawn|in|inbound|incoming|inbox)$/;
/** Of how the message is written or kept. */
const OF_FORM =
  /^(compression|encryption|encoding|codec|format|priority|retention|auth|ordering|visibility|signature)$/;
const plain = (word: string) => word.toLowerCase().replace(/[^a-z]/g, "");

/**
 * Listed words beside the mark (`mode` of live, test and dry-run) of rows still to be sent: a row with one that speaks against
 * sending may be left by its relay. Whoever confirms the published mark knows. `read`: columns that say something else.
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
      const words = table.words[column.name] ?? [];
      const against = words.filter((word) => NOT_SENT.test(plain(word)) || meaningOf(word) === "dead");
      if (first === undefined || against.length === 0 || against.includes(first)) return [];
      const mark = markOf("withdrawn", column, zone);
      const says = `${column.name} is ${against.join(" or ")}, until this is answered`;
      return [{ ...mark, holds: { column: mark.column, in: against }, says }];
    });
}
