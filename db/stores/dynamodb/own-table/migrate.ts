import { CreateTableCommand, DescribeTableCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { ConfigError } from "#domain/errors.ts";
import type { StoreCatalog } from "../../port/store.ts";
import { nameOf } from "../connection/to-store-error.ts";
import { getRecord, type OwnTable, PARTITIONS, putRecord } from "./own-table.ts";

/** Raised whenever older programs would misread what this one writes. */
const KNOWN_VERSION = 1;
const WAIT_SECONDS = 60;
const VERSION_KEY = { pk: PARTITIONS.meta, sk: "version" };

export async function ownSchemaState(own: OwnTable): Promise<StoreCatalog["ownSchema"]> {
  try {
    const version = await getRecord<number>(own, VERSION_KEY);
    if (version === null) return "missing";
    if (version.doc === KNOWN_VERSION) return "current";
    return version.doc > KNOWN_VERSION ? "newer" : "older";
  } catch (error) {
    if (nameOf(error) === "ResourceNotFoundException") return "missing";
    throw error;
  }
}

/** Creates our table, billed on demand, and writes its version. Throws ConfigError. */
export async function migrateOwnTable(own: OwnTable, store: string): Promise<void> {
  try {
    if ((await ownSchemaState(own)) === "newer")
      throw new ConfigError([
        `The table ${own.name} of store ${store} is newer than this program: update Outbox Console.`,
      ]);
    await createIfMissing(own);
    await putRecord(own, { ...VERSION_KEY, doc: KNOWN_VERSION, v: String(KNOWN_VERSION) });
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new ConfigError([`The table ${own.name} of store ${store} could not be created: ${reason}`]);
  }
}

async function createIfMissing({ link, name }: OwnTable): Promise<void> {
  const { client } = link;
  try {
    await client.send(new DescribeTableCommand({ TableName: name }));
  } catch (error) {
    if (nameOf(error) !== "ResourceNotFoundException") throw error;
    await create({ link, name });
  }
  await waitUntilTableExists({ client, maxWaitTime: WAIT_SECONDS, minDelay: 1 }, { TableName: name });
}

async function create({ link, name }: OwnTable): Promise<void> {
  const command = new CreateTableCommand({
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "S" },
    ],
  });
  try {
    await link.client.send(command);
  } catch (error) {
    // Another process has just created it.
    if (nameOf(error) !== "ResourceInUseException") throw error;
  }
}
