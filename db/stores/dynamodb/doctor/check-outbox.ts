import type { TableDescription } from "@aws-sdk/client-dynamodb";
import { formatPlural } from "#domain/format.ts";
import type { DoctorFinding } from "../../port/doctor.ts";
import type { OutboxMapping } from "../../port/mapping.ts";
import type { AccessMode, StreamOptions } from "../../port/store.ts";
import { troubleOf } from "../../port/store-error.ts";
import { keyNames } from "../catalog/read-catalog.ts";
import { asking } from "../connection/to-store-error.ts";
import { isBeyondAll } from "../items/instant.ts";
import { type Item, textOf } from "../items/item.ts";
import { ttlAttribute } from "../read/read-message.ts";
import { bareItemsMissing } from "../relay/waiting-index.ts";
import type { Room } from "../room.ts";
import { checkRelay } from "./check-relay.ts";
import { grantsFor } from "./grants.ts";

/**
 * Checks the waiting index, the time to live, the cost of a reading, undeclared attributes, and a relay's further
 * needs. Changes nothing.
 */
export async function checkOutbox(
  room: Room,
  { mode, stream }: { mode: AccessMode; stream?: StreamOptions | undefined },
): Promise<DoctorFinding[]> {
  const { ref } = room;
  try {
    return await asking(`outbox ${ref.name}`, async () => [
      ...(await check(room)),
      ...(mode === "relay" ? await checkRelay(room, stream) : []),
      ...(ref.storeSide && mode !== "observe" ? [appendOnly(room)] : []),
    ]);
  } catch (error) {
    if (troubleOf(error) !== "forbidden") throw error;
    const text = `outbox ${ref.name}: its AWS credentials do not allow all that mode ${mode} needs`;
    return [{ level: "bad", text, fix: grantsFor(room, mode, { stream: stream !== undefined }) }];
  }
}

/** A PutItem that replaces an entry cannot be distinguished from one that adds it. */
function appendOnly({ ref, own }: Room): DoctorFinding {
  return {
    level: "later",
    text: `outbox ${ref.name}: the audit in ${own.name} is not append-only: DynamoDB refuses no change of an entry`,
    fix: "Deny UpdateItem and DeleteItem for dynamodb:LeadingKeys audit and audit-of#*, and export the audit regularly (docs/security.md).",
  };
}

async function check(room: Room): Promise<DoctorFinding[]> {
  const { ref, family, link } = room;
  const table = await link.describe(family.table);
  if (!table) return [{ level: "bad", text: `outbox ${ref.name}: there is no table ${family.table}` }];
  return [checkIndex(room, table), ...(await checkReading(room, table)), ...(await checkTtl(room))];
}

function checkIndex(room: Room, table: TableDescription): DoctorFinding {
  const { ref, family } = room;
  const wanted = family.waiting?.index;
  const indexes = table.GlobalSecondaryIndexes ?? [];
  const found = indexes.find(({ IndexName: name }) => name === wanted);
  const of = `outbox ${ref.name}`;
  if (wanted === undefined)
    return {
      level: "later",
      text: `${of}: no index of waiting messages is configured; once ${family.table} is larger than one page, its lists and counts stay incomplete`,
      fix: `Create a global secondary index whose partition key is an attribute that only waiting items have, and set families.${ref.mapping.table.name}.waiting.index.`,
    };
  if (!found)
    return {
      level: "bad",
      text: `${of}: ${family.table} has no index ${wanted}`,
      fix: `It has: ${indexes.map(({ IndexName: name }) => name).join(", ") || "none"}.`,
    };
  if (found.IndexStatus !== undefined && found.IndexStatus !== "ACTIVE")
    return { level: "bad", text: `${of}: the index ${wanted} is ${found.IndexStatus}` };
  const missing = bareItemsMissing(room, keyNames(found.KeySchema)[0] ?? null);
  if (missing !== null) return { level: "bad", text: missing };
  if (found.Projection?.ProjectionType !== "ALL")
    return {
      level: "later",
      text: `${of}: the index ${wanted} does not hold all attributes: counts from it take what it lacks for absent`,
    };
  return { level: "ok", text: `${of}: the index ${wanted} finds waiting messages` };
}

async function checkReading({ ref, family, source, link }: Room, table: TableDescription): Promise<DoctorFinding[]> {
  const reading = await source.read();
  if (!reading) return [];
  const from = reading.fromIndex ? `index ${family.waiting?.index}` : `table ${family.table}`;
  const cost = `outbox ${ref.name}: one reading of the ${from} took ${reading.units} capacity units, of ${link.budget.unitsPerMinute} a minute`;
  const declared = [
    ...Object.keys(family.attributes),
    ...(table.AttributeDefinitions ?? []).map((one) => one.AttributeName),
  ];
  const undeclared = undeclaredAttributes(reading.items, declared);
  return [
    { level: "ok", text: cost },
    ...checkUnits(ref.mapping, ref.name, reading.items),
    ...(undeclared.length === 0
      ? []
      : [
          {
            level: "later" as const,
            text: `outbox ${ref.name}: items have attributes that are not declared: ${undeclared.join(", ")}`,
          },
        ]),
  ];
}

/** A number of milliseconds, read as seconds, is a time some ten thousand years from now. */
function checkUnits({ table, columns }: OutboxMapping, outbox: string, items: readonly Item[]): DoctorFinding[] {
  const times = new Map(Object.values(columns).map((column) => [column.name, column]));
  return [...times.values()].flatMap(({ name, time }): DoctorFinding[] => {
    const beyond = items.filter((item) => isBeyondAll(textOf(item[name]), time)).length;
    if (beyond === 0) return [];
    return [
      {
        level: "bad",
        text: `outbox ${outbox}: ${name} of ${formatPlural(beyond, "item")} is beyond the year 9999: its unit seems to be smaller than the declared one`,
        fix: `Declare it as milliseconds under families.${table.name}.attributes, if that is what it holds.`,
      },
    ];
  });
}

const MOST_NAMED = 10;

function undeclaredAttributes(items: readonly Item[], declared: readonly (string | undefined)[]): string[] {
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  return [...names].filter((name) => !declared.includes(name)).slice(0, MOST_NAMED);
}

/** An item that expires before it was sent is an event lost. */
async function checkTtl(room: Room): Promise<DoctorFinding[]> {
  const { ref, source } = room;
  const ttl = await ttlAttribute(room);
  if (ttl === null) return [];
  const reading = await source.read();
  const { lifecycle } = ref.mapping;
  const mark = "column" in lifecycle ? lifecycle.column.name : null;
  const unsent = (reading?.items ?? []).filter(
    (item) => mark !== null && lifecycle.kind !== "status" && !isMarked(item, mark),
  );
  const expiring = unsent.filter((item) => textOf(item[ttl]) !== null).length;
  if (expiring === 0) return [{ level: "ok", text: `outbox ${ref.name}: DynamoDB deletes items by ${ttl}` }];
  return [
    {
      level: "bad",
      text: `outbox ${ref.name}: DynamoDB will delete ${expiring} unpublished items by ${ttl}, sent or not`,
      fix: `Let producers leave out ${ttl}, and set it when the message is published.`,
    },
  ];
}

function isMarked(item: Item, name: string): boolean {
  const text = textOf(item[name]);
  return text !== null && text !== "false" && text !== "0";
}
