import { sql } from "drizzle-orm";
import type { MappedColumn } from "#db/stores/port/mapping.ts";
import { AppError } from "#domain/errors.ts";
import type { Session } from "../connection/session.ts";

const UTC =
  /^(Z|Zulu|UTC|UCT|GMT|GMT[+-]?0|Greenwich|Universal|Etc\/(UTC|UCT|GMT|GMT[+-]?0|Greenwich|Universal|Zulu))$/i;
const OFFSET = /^(?:UTC|GMT)?([+-])(\d{1,2}):?(\d{2})?$/;

/** Minutes east of UTC of a zone that needs no tables: UTC under any of its names, or an offset. Null for any other. */
export function fixedOffset(zone: string): number | null {
  if (UTC.test(zone)) return 0;
  const [, sign, hours, minutes = "0"] = OFFSET.exec(zone) ?? [];
  if (hours === undefined) return null;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const known = new WeakMap<object, Promise<void>>();

/**
 * Throws invalid_input if the server does not know the zone of one of the columns: CONVERT_TZ gives null for such a
 * zone, and every time would be shown as missing. Asks the server once per mapping.
 */
export function requireZones(session: Session, mapping: object): Promise<void> {
  const asked = known.get(mapping);
  if (asked) return asked;
  const asking = askZones(session, zonesOf(mapping));
  known.set(mapping, asking);
  asking.catch(() => known.delete(mapping));
  return asking;
}

/** Zones of a mapping's columns that need the server's tables. */
function zonesOf(part: object): string[] {
  const found = Object.values(part).flatMap((value: unknown): string[] => {
    if (typeof value !== "object" || value === null) return [];
    if (!isColumn(value)) return zonesOf(value);
    return value.time && "zone" in value.time ? [value.time.zone] : [];
  });
  return [...new Set(found)].filter((zone) => fixedOffset(zone) === null);
}

function isColumn(value: object): value is MappedColumn {
  return "name" in value && "type" in value && "nullable" in value;
}

async function askZones(session: Session, zones: readonly string[]): Promise<void> {
  if (zones.length === 0) return;
  const asked = zones.map((zone) => sql`CONVERT_TZ('2024-06-01 12:00:00', ${zone}, '+00:00') IS NULL`);
  const [answers = []] = await session.rows(sql`SELECT ${sql.join(asked, sql`, `)}`);
  const missing = zones.filter((_, index) => answers[index] === "1");
  if (missing.length === 0) return;
  throw new AppError(
    "invalid_input",
    `The database server does not know the time zone ${missing.join(", ")}: load its zone tables (mysql_tzinfo_to_sql /usr/share/zoneinfo | mysql -u root mysql), or write the offset from UTC in its place.`,
  );
}
