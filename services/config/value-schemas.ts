import { z } from "zod";
import { problemOfStoreUrl, type StoreKind } from "#db/stores/open-store.ts";
import { parseDurationMs } from "#domain/text/units.ts";

export const name = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, "must be lower-case letters, digits, - or _");

/** A replication slot or publication as Postgres names them. */
export const slotName = z.string().regex(/^[a-z0-9_]{1,63}$/, "must be lower-case letters, digits or _");

/** "60s", "5m", "7d"; parsed into milliseconds. */
/** The mark, for the reference of settings, of texts that are durations. */
const DURATION_MARK = { isDuration: true };

export const requiredDuration = z
  .string()
  .meta(DURATION_MARK)
  .transform((text, context) => {
    const ms = parseDurationMs(text);
    if (ms === undefined) {
      context.addIssue({ code: "custom", message: `"${text}" is not a duration such as 250ms, 60s, 5m, 2h or 7d` });
      return z.NEVER;
    }
    return ms;
  });
export const duration = (text: string) => requiredDuration.prefault(text);

/** A URL that the driver of the kind reads as it is written. */
function storeUrl(kind: StoreKind, scheme: RegExp, error: string) {
  return z
    .string()
    .regex(scheme, { error, abort: true })
    .superRefine((url, context) => {
      const problem = problemOfStoreUrl(kind, url);
      if (problem !== null) context.addIssue({ code: "custom", message: problem });
    });
}

/** The URL by which a store of DynamoDB is opened. */
export function dynamodbUrl(region: string, endpoint: string | undefined): string {
  return `dynamodb://${region}${endpoint === undefined ? "" : `?endpoint=${encodeURIComponent(endpoint)}`}`;
}

export const postgresUrl = storeUrl("postgres", /^postgres(ql)?:\/\//, "must be a postgres:// URL");
export const mysqlUrl = storeUrl("mysql", /^(mysql|mariadb):\/\//, "must be a mysql:// or mariadb:// URL");
