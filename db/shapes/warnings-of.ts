import type { CatalogColumn, CatalogTable } from "../stores/port/catalog.ts";
import { changingKeyColumn, type OutboxMapping } from "../stores/port/mapping.ts";
import { isNumbered } from "./columns/assign-roles.ts";
import { plainName } from "./columns/plain-name.ts";
import { matchWords } from "./words/match-words.ts";
import { wordsOf } from "./words/name-words.ts";
import { ROLE_PATTERNS } from "./words/role-patterns.ts";

/** What a recognised table cannot do or does not say, as sentences for its page and for the doctor. */
export function warningsOf(table: CatalogTable, mapping: OutboxMapping): string[] {
  const name = `${table.schema}.${table.name}`;
  return WARNINGS.flatMap((warning) => warning({ name, table, mapping }) ?? []);
}

type Warning = (of: { name: string; table: CatalogTable; mapping: OutboxMapping }) => string | null;

const noKey: Warning = ({ name, mapping }) =>
  mapping.primaryKey.length > 0
    ? null
    : `${name} has no primary key and no unique key without nulls: its messages cannot be identified, so they are counted but cannot be listed, acted on or relayed.`;

const changingKey: Warning = ({ name, mapping }) => {
  const changing = changingKeyColumn(mapping);
  return changing === null
    ? null
    : `The primary key of ${name} contains ${changing}, so the id of a message changes with its state: links and the history of a message end there, and it is not acted on or relayed.`;
};

const inherited: Warning = ({ name, table: { inheritedBy } }) =>
  inheritedBy === undefined
    ? null
    : `${inheritedBy} inherits from ${name}: the rows of both are shown, a key may be in both, and it is not acted on or relayed.`;

const noCreation: Warning = ({ mapping }) =>
  mapping.columns.createdAt ? null : "No creation time was recognised: ages are unknown.";

const allUnpublished: Warning = ({ mapping }) =>
  mapping.lifecycle.kind === "delete"
    ? "Every existing row counts as unpublished, because published rows are deleted (lifecycle delete)."
    : null;

const notLookedAt: Warning = ({ name, table: { unlooked = [] } }) =>
  unlooked.length === 0
    ? null
    : `The values of ${[...new Set(unlooked)].join(", ")} of ${name} were not looked at, because of a timeout, a missing permission or a lock: whether one means something else than its column says is not known.`;

const sharedId: Warning = ({ name, table, mapping: { columns } }) => {
  const others = sharedWith(table, columns.id.name);
  return others.length === 0
    ? null
    : `${columns.id.name} of ${name} is unique only together with ${others.join(", ")}, so that two messages may have the same id for whoever receives them. UUIDs do not repeat; other ids need a column that is unique alone.`;
};

const notNumbered: Warning = ({ name, table, mapping: { columns } }) => {
  const number = columns.order ? undefined : unorderedNumber(table, columns);
  return number === undefined
    ? null
    : `${number} of ${name} is not numbered by the database, so it is not taken for the order of writing. If it follows that order, name it under columns.order.`;
};

const bornPublished: Warning = ({ name, table, mapping: { lifecycle } }) => {
  const mark = lifecycle.kind === "timestamp" || lifecycle.kind === "flag" ? lifecycle.column.name : null;
  const sql = table.columns.find((column) => column.name === mark)?.defaultSql ?? null;
  if (sql === null || !(lifecycle.kind === "flag" ? TRUE.test(sql) : isCurrentTime(sql))) return null;
  return `${mark} of ${name} has the default ${sql}: rows that do not set it are marked as published when they are written, so nobody sends them. Drop the default.`;
};

/** True for a default that is the time of the insert, and nothing added to it. */
export function isCurrentTime(sql: string): boolean {
  return CURRENT_TIME.test(sql.replace(/::[\w\s"]+(?:\(\d\))?/g, "").trim());
}

const CURRENT_TIME =
  /^\(?(?:now|(?:clock|statement|transaction|current|utc|local)_?timestamp|localtime)(?:\(\d?\))?(?: at time zone '\w+')?\)?$/i;
const TRUE = /^\(?(?:true|'t'|b'1'|1)\b/i;

const WARNINGS: readonly Warning[] = [
  noKey,
  changingKey,
  inherited,
  noCreation,
  allUnpublished,
  notLookedAt,
  sharedId,
  notNumbered,
  bornPublished,
];

/** Columns without which the id identifies no row. */
function sharedWith({ columns, primaryKey, uniqueKeys }: CatalogTable, id: string): string[] {
  const column = columns.find(({ name }) => name === id);
  const isUnique = [primaryKey, ...uniqueKeys].some((key) => key.length === 1 && key[0] === id);
  if (!column || isUnique || column.family === "uuid" || isNumbered(column)) return [];
  return primaryKey.includes(id) ? primaryKey.filter((name) => name !== id) : [];
}

/** A whole number that is the id, or is called a sequence. */
function unorderedNumber(table: CatalogTable, { id }: OutboxMapping["columns"]): string | undefined {
  const whole = table.columns.filter(({ family }) => family === "bigint" || family === "integer");
  const isNamed = ({ name }: CatalogColumn) =>
    name === id.name ||
    ROLE_PATTERNS.order.some((pattern) => matchWords(wordsOf(plainName(table, name)), pattern) !== null);
  return table.singleMark ? undefined : whole.find(isNamed)?.name;
}
