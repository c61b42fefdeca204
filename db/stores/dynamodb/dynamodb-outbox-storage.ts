import type { TableDescription } from "@aws-sdk/client-dynamodb";
import { DescribeTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { AppError } from "#domain/errors.ts";
import type { EngineFigure, OutboxStorage, StorageReading } from "../port/storage.ts";
import { asking } from "./connection/to-store-error.ts";
import type { Room } from "./room.ts";

export function createOutboxStorage(room: Room): OutboxStorage {
  return { read: () => asking(`outbox ${room.ref.name}`, () => read(room)) };
}

/** DynamoDB's figures about the table, which it updates every six hours or so. */
async function read({ link, family, ref }: Room): Promise<StorageReading> {
  const table = await link.describe(family.table);
  if (!table) throw new AppError("unavailable", `There is no table ${family.table}.`);
  const indexes = table.GlobalSecondaryIndexes ?? [];
  const indexBytes = indexes.reduce((sum, { IndexSizeBytes: bytes }) => sum + (bytes ?? 0), 0);
  const tableBytes = table.TableSizeBytes ?? null;
  return {
    size: {
      ...{ tableBytes, indexBytes, toastBytes: null },
      totalBytes: tableBytes === null ? null : tableBytes + indexBytes,
      rows: { value: table.ItemCount ?? 0, precision: table.ItemCount === undefined ? "unknown" : "estimate" },
      ...{ deadRows: null, lastVacuumAt: null, lastAutovacuumAt: null },
    },
    indexes: indexes.map(({ IndexName: name, IndexSizeBytes: bytes, IndexStatus: status }) => ({
      ...{ name: name ?? "", bytes: bytes ?? null, scans: null, isUnique: false },
      isValid: status === "ACTIVE",
    })),
    ...{ countedSince: null, holders: [], slots: [], partitions: null },
    figures: [...billingOf(table), await timeToLive({ link, family })],
    unsaid: [
      "DynamoDB renews sizes and item counts about every six hours.",
      ...(family.keyPrefix === undefined
        ? []
        : [`The figures are those of the whole table ${family.table}, of which ${ref.name} is a part.`]),
      "DynamoDB has no dead rows, no vacuum and no locks.",
    ],
  };
}

function billingOf({ BillingModeSummary: billing, ProvisionedThroughput: units }: TableDescription): EngineFigure[] {
  if (billing?.BillingMode === "PAY_PER_REQUEST") return [{ label: "Capacity", value: "on demand", note: null }];
  const value = `${units?.ReadCapacityUnits ?? 0} read, ${units?.WriteCapacityUnits ?? 0} write`;
  return [{ label: "Capacity", value, note: "units a second" }];
}

async function timeToLive({ link, family }: Pick<Room, "link" | "family">): Promise<EngineFigure> {
  const label = "Time to live";
  const answer = await link.client.send(new DescribeTimeToLiveCommand({ TableName: family.table }));
  const { TimeToLiveStatus: status, AttributeName: attribute } = answer.TimeToLiveDescription ?? {};
  if (status !== "ENABLED") return { label, value: "off", note: "published items stay until somebody deletes them" };
  const days = family.keepPublished ? `our relay gives published items ${family.keepPublished.days} d` : null;
  return { label, value: `by ${attribute ?? "an attribute"}`, note: days };
}
