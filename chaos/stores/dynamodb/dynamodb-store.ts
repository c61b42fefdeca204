import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { DeadDoc } from "#db/stores/dynamodb/items/moved.ts";
import { PARTITIONS } from "#db/stores/dynamodb/own-table/own-table.ts";
import { CLAIM, type InstanceDoc } from "#db/stores/dynamodb/own-table/relay-docs.ts";
import { openStore } from "#db/stores/open-store.ts";
import { runDynamodb } from "#tests/dynamodb/run-dynamodb.ts";
import { OUTBOX } from "../../world/relay-config.ts";
import type { ChaosStore, StoreInput } from "../chaos-store.ts";
import { inTurn } from "../in-turn.ts";
import { findCandidates } from "./dynamodb-candidates.ts";
import { docOf, openClient, ownItems, queryAll } from "./dynamodb-client.ts";
import { eventIdOf, readDynamodbEvidence } from "./dynamodb-evidence.ts";
import { createTables, FAMILY, FAMILY_YAML, INDEX, OWN_TABLE, REGION, TABLE } from "./dynamodb-tables.ts";
import { openDynamodbWriter } from "./dynamodb-writer.ts";

/** @throws DynamodbUnavailable */
export async function openDynamodbStore({ folder }: StoreInput): Promise<ChaosStore> {
  const server = await runDynamodb({ keeps: true });
  const client = openClient(server.url);
  const turns = inTurn();
  const close = async () => {
    client.destroy();
    await turns.idle();
    await copyFile(join(server.folder, "output.log"), join(folder, "dynamodb.log")).catch(() => undefined);
    await server.remove();
  };
  try {
    await createTables(client);
    await migrateOwn(server.url);
  } catch (error) {
    await close();
    throw error;
  }
  const instances = async () =>
    (await ownItems(client, PARTITIONS.instances(OUTBOX))).map((item) => docOf<InstanceDoc>(item));
  return {
    kind: "dynamodb",
    port: Number(new URL(server.url).port),
    storeYaml: (port) =>
      `{ kind: dynamodb, region: ${REGION}, endpoint: "http://127.0.0.1:${port}", families: { ${FAMILY}: ${FAMILY_YAML} } }`,
    tableYaml: [
      `table: ${FAMILY}`,
      "columns: { id: SK, order: SK, aggregateId: PK, publishedAt: published, availableAt: available_at }",
    ],
    // This server can only be ended in one way.
    restart: (_how, downMs) => turns.run(() => server.restart(downMs)),
    openWriter: async () => openDynamodbWriter(server.url),
    countWaiting: () => countWaiting(client),
    countClaims: async () => (await ownItems(client, PARTITIONS.relay(OUTBOX), CLAIM)).length,
    countPauses: async () => (await ownItems(client, PARTITIONS.pauses(OUTBOX))).length,
    hasStream: async () => (await instances()).some(({ stream }) => stream !== null),
    relayPids: async () => (await instances()).map(({ pid }) => pid),
    candidates: (verb, limit) => findCandidates(client, verb, limit),
    foreign: {},
    buryDead: async () => undefined,
    deadInTable: null,
    evidence: () => readDynamodbEvidence(client),
    close,
  };
}

async function countWaiting(client: DynamoDBClient): Promise<number> {
  const waiting = await queryAll(client, {
    ...{ TableName: TABLE, IndexName: INDEX, ProjectionExpression: "SK" },
    KeyConditionExpression: `${INDEX} = :yes`,
    ExpressionAttributeValues: { ":yes": { S: "yes" } },
  });
  if (waiting.length === 0) return 0;
  const dead = await ownItems(client, PARTITIONS.dead(OUTBOX));
  const stayed = new Set(dead.filter((item) => !docOf<DeadDoc>(item).moved).map(({ sk }) => eventIdOf(sk?.S ?? "")));
  return waiting.filter(({ SK }) => !stayed.has(SK?.S ?? "")).length;
}

/** As `npm run migrate` does. */
async function migrateOwn(endpoint: string): Promise<void> {
  const store = await openStore({
    ...{ kind: "dynamodb", name: "shop", applicationName: "chaos", families: {}, ownTable: OWN_TABLE },
    url: `dynamodb://${REGION}?endpoint=${encodeURIComponent(endpoint)}`,
  });
  await store.migrate().finally(() => store.close());
}
