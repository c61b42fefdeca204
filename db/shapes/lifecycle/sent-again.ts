import type { CatalogColumn, CatalogTable } from "../../stores/port/catalog.ts";
import type { MappedColumn } from "../../stores/port/mapping.ts";
import type { Condition } from "../../stores/port/table-rules.ts";
import { isNumbered } from "../columns/assign-roles.ts";
import { plainName } from "../columns/plain-name.ts";
import { isOpenTime, isSetAtFirst } from "../columns/unset-default.ts";
import type { Concept } from "../words/concepts.ts";
import { wordsOf } from "../words/name-words.ts";
import { patterns } from "../words/role-patterns.ts";
import { codedFlagOf } from "./coded-flag.ts";
import { type Columns, isNamed, setMark, toMapped, unused } from "./row-marks.ts";

/** What a column says against a published mark. */
export interface Doubt {
  column: MappedColumn;
  holds: Condition<MappedColumn>;
  says: string;
}

const TIMES: readonly CatalogColumn["family"][] = ["instant", "datetime"];
const AGAIN =
  "resend|republish|redeliver|reprocess|requeue|redispatch|retransmit|resubmit|reemit|reexport|resync|reenviar|reenvio|reprocesar|reprocessar|renvoyer|renvoi|erneutsenden|opnieuwverzenden";
/** Of a row that is itself a repeat, `is_replay`, nothing is to be done again. */
const ASKED = "requested|needed|required|pending|wanted|due|asked|angefordert|solicitado|demande";
const NAME = new RegExp(
  `^(?:(?:needs|must|force|do|should|please|to)(?:${AGAIN}|replay)|(?:${AGAIN})|(?:${AGAIN}|replay)(?:is)?(?:${ASKED}))(?:flag|at|on|when)?$`,
);

/** `resend`, `needs_republish`, `replay_requested_at`: what was published is to be sent once more. */
export function sentAgain(table: CatalogTable, columns: Columns, zone: string): Doubt[] {
  const asked = unused(table, columns)
    .filter(({ name, generated }) => !generated && NAME.test(joined(plainName(table, name))))
    .flatMap((column) => doubtOf(table, column, columns, zone) ?? []);
  return [...asked, ...laterVersion(table, columns, zone)];
}

const NUMBERS: readonly CatalogColumn["family"][] = ["smallint", "integer", "bigint", "decimal"];
const OF_PUBLISHED = /^(last)?(published|sent|synced|relayed|dispatched|exported|delivered|indexed)/;

/** `published_version` beside `version`: another version than the one that was published waits. */
function laterVersion(table: CatalogTable, columns: Columns, zone: string): Doubt[] {
  return unused(table, columns).flatMap((found) => {
    const name = joined(plainName(table, found.name));
    const of = name.replace(OF_PUBLISHED, "");
    if (of === name || !NUMBERS.includes(found.family) || !/^(version|revision|rev|seq|sequence)/.test(of)) return [];
    const current = table.columns.find((one) => joined(plainName(table, one.name)) === of);
    if (!current || !NUMBERS.includes(current.family)) return [];
    const [column, version] = [toMapped(found, zone), toMapped(current, zone)];
    return [
      { column, holds: { not: { column, atLimit: version } }, says: `${found.name} is less than ${current.name}` },
    ];
  });
}

/** The database writes its time of change a moment after the published time in the same statement. */
const SAME_CHANGE_SECONDS = 1;

/**
 * `updated_at` of a row that has no time of creation and a key of its subject, because it is written again for each
 * change of that: a change after it was published waits.
 */
export function changedSince(table: CatalogTable, columns: Columns, zone: string): Doubt[] {
  const { createdAt, publishedAt } = columns;
  if (createdAt || !publishedAt?.time || !isOfSubject(table)) return [];
  return unused(table, columns)
    .filter((column) => TIMES.includes(column.family) && isNamed(table, column, CHANGED))
    .map((found) => {
      const column = toMapped(found, zone);
      const holds = { column, isAfter: publishedAt, plusSeconds: SAME_CHANGE_SECONDS };
      return { column, holds, says: `${found.name} is later than ${publishedAt.name}` };
    });
}

/** A key is that of the message's subject, and no message's own: `sku`, `customer_id`. */
function isOfSubject({ columns, primaryKey, uniqueKeys }: CatalogTable): boolean {
  const isOwn = (name: string) =>
    columns.some((column) => column.name === name && isNumbered(column)) ||
    wordsOf(name).every(({ concepts }) => concepts.some((one) => OF_MESSAGE.includes(one)));
  return [primaryKey, ...uniqueKeys].some((key) => key.length > 0 && !key.some(isOwn));
}

const OF_MESSAGE: readonly Concept[] = ["id", "event", "message", "outbox", "record", "dedupe", "key", "sequence"];

const CHANGED = patterns("10 updated time | last");

const joined = (name: string) =>
  wordsOf(name)
    .map(({ text }) => text)
    .join("");

function doubtOf(table: CatalogTable, found: CatalogColumn, { publishedAt }: Columns, zone: string): Doubt | null {
  const column = toMapped(found, zone);
  const { name } = found;
  if (isOpenTime(found) || (TIMES.includes(found.family) && found.nullable && !isSetAtFirst(found))) {
    return publishedAt?.time && column.time
      ? { column, holds: { column, isAfter: publishedAt }, says: `${name} is later than ${publishedAt.name}` }
      : { column, ...heldBy(found, zone) };
  }
  if (TIMES.includes(found.family)) return null;
  if (found.family === "boolean")
    return isSetAtFirst(found) ? null : { column, holds: { column, is: "true" }, says: `${name} is true` };
  const flag = codedFlagOf(table, found, column);
  return flag ? { column, holds: flag.isOn, says: `${name} says so` } : null;
}

function heldBy(found: CatalogColumn, zone: string): Pick<Doubt, "holds" | "says"> {
  const { holds, says } = setMark(found, zone);
  return { holds, says };
}
