import type { GlobalSecondaryIndexDescription, TableDescription } from "@aws-sdk/client-dynamodb";
import type { CatalogColumn, CatalogTable } from "../../port/catalog.ts";
import type { AttributeKind, ItemFamily } from "../../port/item-family.ts";
import type { TypeFamily } from "../../port/type-family.ts";
import type { Link } from "../connection/link.ts";

/** The tables of the configured families; one whose table is missing is left out. Reads no items. */
export async function readCatalog(
  link: Pick<Link, "describe">,
  families: Readonly<Record<string, ItemFamily>>,
): Promise<CatalogTable[]> {
  const names = [...new Set(Object.values(families).map(({ table }) => table))];
  const described = new Map(await Promise.all(names.map(async (name) => [name, await link.describe(name)] as const)));
  return Object.entries(families).flatMap(([name, family]) => {
    const table = described.get(family.table);
    return table ? [catalogTable(name, family, table)] : [];
  });
}

/** A family as the port describes a table: its schema is DynamoDB's table. Pure. */
export function catalogTable(name: string, family: ItemFamily, table: TableDescription): CatalogTable {
  const primaryKey = keyNames(table.KeySchema);
  const keyTypes = new Map(
    (table.AttributeDefinitions ?? []).map((one) => [one.AttributeName ?? "", one.AttributeType]),
  );
  const types = new Map<string, string>([
    ...[...keyTypes].map(([key, type]) => [key, type ?? "S"] as const),
    ...Object.entries(family.attributes),
  ]);
  // A key has DynamoDB's own type; the meaning of its text may be declared.
  for (const key of primaryKey) types.set(key, keyTypes.get(key) ?? "S");
  return {
    key: table.TableId ?? String(table.CreationDateTime?.getTime() ?? ""),
    schema: family.table,
    name,
    inDefaultSchema: true,
    columns: [...types].map(([column, type]) => toColumn(column, type, primaryKey.includes(column))),
    primaryKey,
    uniqueKeys: [],
    indexes: [
      { name: "table", definition: definitionOf(primaryKey), predicate: null, columns: primaryKey },
      ...(table.GlobalSecondaryIndexes ?? []).map(toIndex),
    ],
    words: {},
    partitioned: false,
    singleMark: true,
    rowSecurity: false,
    rowSecurityOnWrite: false,
    estimatedRows: family.keyPrefix === undefined ? (table.ItemCount ?? -1) : -1,
  };
}

/** The partition key, then the sort key if there is one. */
export function keyNames(schema: TableDescription["KeySchema"]): string[] {
  const of = (type: string) => (schema ?? []).filter((key) => key.KeyType === type);
  return [...of("HASH"), ...of("RANGE")].map(({ AttributeName: name }) => name ?? "");
}

function toIndex({ IndexName: name = "", KeySchema: schema }: GlobalSecondaryIndexDescription) {
  const columns = keyNames(schema);
  return { name, definition: definitionOf(columns), predicate: null, columns };
}

function definitionOf([partition = "", sort]: readonly string[]): string {
  return sort === undefined ? `partition key ${partition}` : `partition key ${partition}, sort key ${sort}`;
}

const TYPE_FAMILIES: Record<AttributeKind | "S" | "N" | "B", TypeFamily> = {
  S: "text",
  N: "decimal",
  B: "binary",
  text: "text",
  json: "json",
  number: "decimal",
  boolean: "boolean",
  binary: "binary",
  time: "instant",
  seconds: "integer",
  milliseconds: "bigint",
};

/** Attributes have no numbers: an attribute of the same name is the same one. */
function toColumn(name: string, type: string, isKey: boolean): CatalogColumn {
  return {
    name,
    number: 1,
    type,
    family: TYPE_FAMILIES[type as AttributeKind] ?? "other",
    typeKey: type,
    nullable: !isKey,
    generated: false,
    identity: false,
    hasDefault: false,
    defaultSql: null,
  };
}
