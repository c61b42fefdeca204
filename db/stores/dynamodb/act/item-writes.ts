import type { AttributeValue, TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { Item } from "../items/item.ts";
import { keyFrom } from "../items/message-key.ts";

/** Values to set, and attributes to remove with null. */
export type Changes = Record<string, AttributeValue | null>;

/** The item after its changes. */
export function changedItem(item: Item, changes: Changes): Item {
  const after = { ...item };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete after[name];
    else after[name] = value;
  }
  return after;
}

interface Target {
  table: string;
  mapping: OutboxMapping;
  /** The item as it was read: the write fails if it has changed since. */
  item: Item;
}

/** Collects names and values for an expression. */
export class Words {
  readonly names: Record<string, string> = {};
  readonly values: Item = {};

  name(attribute: string): string {
    const known = Object.entries(this.names).find(([, one]) => one === attribute);
    if (known) return known[0];
    const word = `#n${Object.keys(this.names).length}`;
    this.names[word] = attribute;
    return word;
  }

  value(value: AttributeValue): string {
    const word = `:v${Object.keys(this.values).length}`;
    this.values[word] = value;
    return word;
  }

  get attributes() {
    return {
      ExpressionAttributeNames: this.names,
      ...(Object.keys(this.values).length === 0 ? {} : { ExpressionAttributeValues: this.values }),
    };
  }
}

/** Every attribute has the value that was read, and none that the mapping names has appeared. */
function isUnchanged(words: Words, { item, mapping }: Target): string {
  const same = Object.entries(item).map(([name, value]) => `${words.name(name)} = ${words.value(value)}`);
  const { lifecycle } = mapping;
  const mapped = [...Object.values(mapping.columns), ...("column" in lifecycle ? [lifecycle.column] : [])];
  const absent = new Set(mapped.map(({ name }) => name).filter((name) => !Object.hasOwn(item, name)));
  return [...same, ...[...absent].map((name) => `attribute_not_exists(${words.name(name)})`)].join(" AND ");
}

/** Empty if nothing changes. */
export function updateExpression(words: Words, changes: Changes): string {
  const sets = Object.entries(changes).flatMap(([name, value]) =>
    value === null ? [] : [`${words.name(name)} = ${words.value(value)}`],
  );
  const removes = Object.entries(changes).flatMap(([name, value]) => (value === null ? [words.name(name)] : []));
  const parts = [
    sets.length > 0 ? `SET ${sets.join(", ")}` : "",
    removes.length > 0 ? `REMOVE ${removes.join(", ")}` : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}

export function updateItem(target: Target, changes: Changes): TransactWriteItem {
  const words = new Words();
  const condition = isUnchanged(words, target);
  const update = updateExpression(words, changes);
  if (update === "") return checkItem(target);
  return {
    Update: {
      TableName: target.table,
      Key: keyFrom(target.item, target.mapping),
      UpdateExpression: update,
      ConditionExpression: condition,
      ...words.attributes,
    },
  };
}

export function deleteItem(target: Target): TransactWriteItem {
  const words = new Words();
  const condition = isUnchanged(words, target);
  const Key = keyFrom(target.item, target.mapping);
  return { Delete: { TableName: target.table, Key, ConditionExpression: condition, ...words.attributes } };
}

/** Nothing is written; the transaction fails if the item has changed. */
export function checkItem(target: Target): TransactWriteItem {
  const words = new Words();
  const condition = isUnchanged(words, target);
  const Key = keyFrom(target.item, target.mapping);
  return { ConditionCheck: { TableName: target.table, Key, ConditionExpression: condition, ...words.attributes } };
}

/** Writes an item whose key is free. */
export function insertItem({ table, mapping, item }: Target): TransactWriteItem {
  const [key] = mapping.primaryKey;
  return {
    Put: {
      TableName: table,
      Item: item,
      ConditionExpression: "attribute_not_exists(#key)",
      ExpressionAttributeNames: { "#key": key?.name ?? "" },
    },
  };
}
