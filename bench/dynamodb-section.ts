import { startDynamodbServer } from "./dynamodb/dynamodb-server.ts";
import type { Section } from "./report.ts";
import { type StoreBench, storeSections } from "./store-sections.ts";

const NAMES = ["dynamodb-limit", "dynamodb-tutorial", "dynamodb-relay"] as const;

export async function dynamodbSections(bench: StoreBench): Promise<Section[]> {
  const server = await startDynamodbServer();
  try {
    const contenders = { drain: NAMES, steady: [...NAMES, "dynamodb-relay-cdc"] } as const;
    const durability = "The server keeps everything in memory. Amazon's has other limits: compare the ratios only.";
    const named = { ...server, name: "a local server (dynoxide)" };
    return await storeSections("dynamodb", { server: named, contenders, durability }, bench);
  } finally {
    await server.stop();
  }
}
