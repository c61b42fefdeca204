import { z } from "zod";
import { ATTRIBUTE_KINDS } from "#db/stores/port/item-family.ts";
import { dynamodbUrl, mysqlUrl, name, postgresUrl } from "./value-schemas.ts";

const shared = {
  /** Schemas to search for tables; default: of Postgres all but the system's and ours, of MySQL the URL's database. */
  schemas: z.array(z.string()).optional(),
};

/**
 * Most connections of all relays of one process: enough for one of them to read, settle and renew its lease at once.
 */
const relayConnections = z.number().int().min(4).max(500).optional();

const postgresStore = z.strictObject({
  kind: z.literal("postgres"),
  url: postgresUrl,
  /** For lists and details only, never for health or guards. */
  readUrl: postgresUrl.optional(),
  /** URL that bypasses the pooler, for session features. */
  directUrl: postgresUrl.optional(),
  relayConnections,
  ...shared,
});

/** MySQL and MariaDB. */
const mysqlStore = z
  .strictObject({
    kind: z.literal("mysql"),
    url: mysqlUrl,
    readUrl: mysqlUrl.optional(),
    directUrl: mysqlUrl.optional(),
    relayConnections,
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

/** As DynamoDB names tables and indexes. */
const awsName = z.string().regex(/^[A-Za-z0-9_.-]{3,255}$/, "must be 3 to 255 letters, digits, _, - or .");

/** The items of one outbox or inbox. */
const familySchema = z.strictObject({
  table: awsName,
  /** Its items' partition keys begin so; without it, all items of the table belong to it. */
  keyPrefix: z.string().min(1).optional(),
  /** Attributes that are neither keys nor of an index, and what they hold. */
  attributes: z.record(z.string(), z.enum(ATTRIBUTE_KINDS)).default({}),
  /** A sparse index: it holds only items that wait. */
  waiting: z
    .strictObject({
      index: awsName,
      /** Every value of its partition key. */
      keys: z.array(z.string().min(1)).min(1).max(100).optional(),
    })
    .optional(),
  /** What our relay has published goes after so many days, by the table's time to live. */
  keepPublished: z.strictObject({ attribute: z.string().min(1), days: z.number().positive().max(3650) }).optional(),
});

const dynamodbStore = z
  .strictObject({
    kind: z.literal("dynamodb"),
    region: z.string().regex(/^[a-z0-9-]+$/, "must be a region such as eu-central-1"),
    /** URL of another server than Amazon's. */
    endpoint: z
      .string()
      .regex(/^https?:\/\/[^/@]+\/?$/, "must be an http:// or https:// URL without a path or a password")
      .optional(),
    /** Our own table. */
    ownTable: awsName.default("outbox_console"),
    /** Most capacity units of the team's tables that one process reads in a minute. */
    readUnitsPerMinute: z.number().int().min(60).max(10_000_000).default(3000),
    families: z
      .record(name, familySchema)
      .refine((families) => Object.keys(families).length > 0, "names no item family"),
  })
  .transform(({ region, endpoint, ...store }) => ({
    ...store,
    url: dynamodbUrl(region, endpoint),
    readUrl: undefined,
    directUrl: undefined,
    relayConnections: undefined,
    schemas: undefined,
  }));

export const storeSchema = z.discriminatedUnion("kind", [postgresStore, mysqlStore, dynamodbStore], {
  error: "only `postgres`, `mysql` and `dynamodb` are supported by this version",
});

export type StoreConfig = z.output<typeof storeSchema>;

/** The store of a URL alone: its scheme says which kind. Null for a scheme of neither. */
export function storeOfUrl(url: string): { kind: StoreConfig["kind"]; url: string } | null {
  if (/^postgres(ql)?:/.test(url)) return { kind: "postgres", url };
  return /^(mysql|mariadb):/.test(url) ? { kind: "mysql", url } : null;
}
