import { sql } from "drizzle-orm";
import { customType } from "drizzle-orm/mysql-core";
import { datetimeOf, rfc3339 } from "../connection/instant.ts";

/** Most bytes of an outbox's name and of a message id: together one key of InnoDB, which has at most 3072. */
export const NAME_BYTES = 255;
export const ID_BYTES = 2800;

/**
 * A key, compared byte by byte: MySQL's text comparisons fold case, or ignore spaces at the end. Reads and writes as
 * UTF-8 text.
 */
export const key = customType<{ data: string; driverData: string; config: { bytes: number }; configRequired: true }>({
  dataType: ({ bytes }) => `varbinary(${bytes})`,
});

/** Text that is shown and not searched; json that keeps its spelling. */
export const longText = customType<{ data: string; driverData: string }>({ dataType: () => "longtext" });

/** A time in UTC; RFC 3339 with microseconds. */
export const instant = customType<{ data: string; driverData: string }>({
  dataType: () => "datetime(6)",
  toDriver: datetimeOf,
  fromDriver: rfc3339,
});

export const integer = customType<{ data: number; driverData: string }>({
  dataType: () => "bigint",
  toDriver: String,
  fromDriver: Number,
});

export const double = customType<{ data: number; driverData: string }>({
  dataType: () => "double",
  toDriver: String,
  fromDriver: Number,
});

export const flag = customType<{ data: boolean; driverData: string }>({
  dataType: () => "tinyint(1)",
  toDriver: (value) => (value ? "1" : "0"),
  fromDriver: (text) => text === "1",
});

/** A value as JSON text. */
export const jsonText = customType<{ data: unknown; driverData: string }>({
  dataType: () => "longtext",
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (text) => JSON.parse(text),
});

/** A list of texts, in its order, as a JSON array that JSON_TABLE unpacks. */
export const jsonTexts = customType<{ data: string[]; driverData: string }>({
  dataType: () => "json",
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (text) => JSON.parse(text),
});

/** The configured name of an outbox. */
export const outbox = () => key("outbox", { bytes: NAME_BYTES }).notNull();
/** The encoded primary key of a row. */
export const messageId = () => key("message_id", { bytes: ID_BYTES }).notNull();
/** One of few words of ours. */
export const word = (name: string) => key(name, { bytes: 64 });
/** A column that only the server writes: Drizzle leaves it out of inserts. */
const GENERATED = sql`DEFAULT`;
/** Set at every change of the row; shows whether it changed since it was read. */
export const changedAt = () => instant("changed_at").notNull().generatedAlwaysAs(GENERATED);
/** AUTO_INCREMENT. */
export const serial = () => integer("id").primaryKey().generatedAlwaysAs(GENERATED);
