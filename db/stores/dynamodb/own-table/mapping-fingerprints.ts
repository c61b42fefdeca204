import { createHash } from "node:crypto";
import { PutItemCommand, type TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { AuditRecord } from "../../port/audit.ts";
import type { MappingFingerprint } from "../../port/mapping-fingerprint.ts";
import type { FingerprintEntry } from "../../port/store-records.ts";
import { nameOf } from "../connection/to-store-error.ts";
import { nowText } from "../items/instant.ts";
import { transactAudited } from "./audit.ts";
import { checkIf, getRecord, type OwnTable, PARTITIONS, queryRecords, toItem, unchanged } from "./own-table.ts";
import { serverNowMs } from "./terms.ts";

interface MappingDoc {
  fingerprint: MappingFingerprint;
  by: string;
  at: string;
}

const MOST_OUTBOXES = 10_000;
const keyOf = (outbox: string) => ({ pk: PARTITIONS.mappings, sk: outbox });

function itemOf(own: OwnTable, { outbox, fingerprint, by }: FingerprintEntry) {
  const doc: MappingDoc = { fingerprint, by, at: nowText(serverNowMs(own.link)) };
  return toItem({ ...keyOf(outbox), doc, v: digestOf(fingerprint) });
}

/** Equal for equal fingerprints: it is the version of the record. */
function digestOf(fingerprint: MappingFingerprint): string {
  return createHash("sha256").update(JSON.stringify(fingerprint)).digest("hex");
}

/** Accepted mappings by outbox. */
export async function readFingerprints(own: OwnTable): Promise<Map<string, MappingFingerprint>> {
  const { records } = await queryRecords<MappingDoc>(own, { pk: PARTITIONS.mappings, limit: MOST_OUTBOXES });
  return new Map(records.map(({ sk, doc }) => [sk, doc.fingerprint]));
}

/** Stores the mapping of a first start; returns the stored one, which is the first if two starts race. */
export async function keepFirstFingerprint(own: OwnTable, entry: FingerprintEntry): Promise<MappingFingerprint> {
  try {
    await own.link.client.send(
      new PutItemCommand({ TableName: own.name, Item: itemOf(own, entry), ...unchanged(null) }),
    );
    return entry.fingerprint;
  } catch (error) {
    if (nameOf(error) !== "ConditionalCheckFailedException") throw error;
    const kept = await getRecord<MappingDoc>(own, keyOf(entry.outbox));
    if (!kept) throw error;
    return kept.doc.fingerprint;
  }
}

export async function acceptFingerprint(own: OwnTable, entry: FingerprintEntry, audit: AuditRecord): Promise<void> {
  const put: TransactWriteItem = { Put: { TableName: own.name, Item: itemOf(own, entry) } };
  await transactAudited(own, [put], audit);
}

/** The mapping is still the accepted one, as of the transaction's commit. */
export function stillAccepted(own: OwnTable, outbox: string, accepted: MappingFingerprint): TransactWriteItem {
  return checkIf(own, keyOf(outbox), digestOf(accepted));
}
