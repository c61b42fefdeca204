import { createHash } from "node:crypto";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { Words } from "../act/item-writes.ts";
import { type Item, textOf } from "../items/item.ts";

/**
 * Attributes that distinguish an item from a later one of the same key, as a Put may replace an item; null for none.
 */
export type ItemVersion = Readonly<Record<string, AttributeValue | null>>;

/** A creation time to the millisecond or better suffices; a coarser one, or none, only together with the payload. */
export function versionOf({ columns }: OutboxMapping, item: Item): ItemVersion {
  const { createdAt, payload } = columns;
  const at = createdAt ? item[createdAt.name] : undefined;
  const own = (name: string) => item[name] ?? null;
  const text = textOf(at) ?? "";
  const exact = createdAt?.time?.kind === "epoch" ? createdAt.time.unit !== "s" : /\.\d{3}/.test(text);
  return {
    ...(createdAt ? { [createdAt.name]: own(createdAt.name) } : {}),
    ...(at && exact ? {} : { [payload.name]: own(payload.name) }),
  };
}

/** The version as text, for our own records. */
export function identityOf(mapping: OutboxMapping, item: Item): string {
  return createHash("sha256")
    .update(JSON.stringify(versionOf(mapping, item)))
    .digest("base64");
}

export function isVersion(version: unknown): version is ItemVersion {
  return typeof version === "object" && version !== null;
}

/** The item's attributes are those of the version. */
export function isOfVersion(words: Words, version: ItemVersion): string[] {
  return Object.entries(version).map(([name, value]) =>
    value === null ? `attribute_not_exists(${words.name(name)})` : `${words.name(name)} = ${words.value(value)}`,
  );
}
