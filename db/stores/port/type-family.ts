/**
 * Kinds of values of a column, independent of the engine's type names. `instant`: a moment; `datetime`: a date and time
 * without a zone; `words`: an enumerated type; `compact`: text of at most 14 characters, enough for a date and time in
 * digits.
 */
export type TypeFamily =
  | "instant"
  | "datetime"
  | "bigint"
  | "integer"
  | "smallint"
  | "decimal"
  | "boolean"
  | "words"
  | "compact"
  | "text"
  | "json"
  | "binary"
  | "uuid"
  | "xml"
  | "other";
