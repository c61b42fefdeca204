/**
 * What a column's type means for reading and comparing its values. Types are those of information_schema's
 * `column_type`.
 */
export type ColumnKind =
  /** Whole numbers, `bit` among them. */
  | "integer"
  | "decimal"
  | "float"
  /** 16 bytes: shown as a uuid. */
  | "uuid-bytes"
  /** Other bytes: shown as hex. */
  | "bytes"
  /** MariaDB's own uuid. */
  | "uuid"
  | "datetime"
  | "date"
  /** An enum or a set: compares as text, sorts by the position of its words. */
  | "words"
  | "json"
  | "text"
  /** Compared by its text. */
  | "other";

const KINDS: readonly [RegExp, ColumnKind][] = [
  [/^(tiny|small|medium|big)?int\b|^integer\b|^bit\b|^year\b/, "integer"],
  [/^(decimal|numeric)\b/, "decimal"],
  [/^(float|double|real)\b/, "float"],
  [/^binary\(16\)/, "uuid-bytes"],
  [/^(var)?binary\b|^(tiny|medium|long)?blob\b/, "bytes"],
  [/^uuid\b/, "uuid"],
  [/^(datetime|timestamp)\b/, "datetime"],
  [/^date$/, "date"],
  [/^(enum|set)\(/, "words"],
  [/^json\b/, "json"],
  [/^(var)?char\b|^(tiny|medium|long)?text\b/, "text"],
];

export function kindOf(type: string): ColumnKind {
  return KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? "other";
}

export function isUnsigned(type: string): boolean {
  return /\bunsigned\b|^bit\b|^year\b/.test(type);
}

/** True for a column of bytes: `octet_length` and base64 rather than text. */
export function isBinary(type: string): boolean {
  const kind = kindOf(type);
  return kind === "bytes" || kind === "uuid-bytes";
}
