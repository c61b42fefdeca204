import { z } from "zod";
import { mysqlUrl, postgresUrl } from "./value-schemas.ts";

const shared = {
  /** Schemas to search for tables; default: of Postgres all but the system's and ours, of MySQL the URL's database. */
  schemas: z.array(z.string()).optional(),
};

const postgresStore = z.strictObject({
  kind: z.literal("postgres"),
  url: postgresUrl,
  /** For lists and details only, never for health or guards. */
  readUrl: postgresUrl.optional(),
  /** URL that bypasses the pooler, for session features. */
  directUrl: postgresUrl.optional(),
  ...shared,
});

/** MySQL and MariaDB. */
const mysqlStore = z
  .strictObject({
    kind: z.literal("mysql"),
    url: mysqlUrl,
    readUrl: mysqlUrl.optional(),
    directUrl: mysqlUrl.optional(),
    /** The database of our own tables. */
    ownDatabase: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,64}$/, "must be letters, digits or _")
      .optional(),
    /** Our own tables go into the URL's database instead, under names that begin so. */
    ownPrefix: z
      .string()
      .regex(/^[A-Za-z0-9_]{1,24}$/, "must be letters, digits or _")
      .optional(),
    ...shared,
  })
  .refine(({ ownDatabase, ownPrefix }) => ownDatabase === undefined || ownPrefix === undefined, {
    path: ["ownPrefix"],
    message: "our tables are in a database of their own or under a prefix: leave out ownDatabase or ownPrefix",
  })
  .transform(({ ownDatabase = "outbox_console", ownPrefix, ...store }) => ({
    ...store,
    own: ownPrefix === undefined ? { database: ownDatabase } : { prefix: ownPrefix },
  }));

export const storeSchema = z.discriminatedUnion("kind", [postgresStore, mysqlStore], {
  error: "only `postgres` and `mysql` are supported by this version",
});

export type StoreConfig = z.output<typeof storeSchema>;

/** The store of a URL alone: its scheme says which kind. Null for a scheme of neither. */
export function storeOfUrl(url: string): { kind: StoreConfig["kind"]; url: string } | null {
  if (/^postgres(ql)?:/.test(url)) return { kind: "postgres", url };
  return /^(mysql|mariadb):/.test(url) ? { kind: "mysql", url } : null;
}
