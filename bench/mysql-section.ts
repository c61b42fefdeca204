import { startMysqlServer } from "./mysql/mysql-server.ts";
import type { Section } from "./report.ts";
import { type StoreBench, storeSections } from "./store-sections.ts";

const NAMES = ["mysql-limit", "mysql-tutorial", "mysql-relay"] as const;

export async function mysqlSections(flavor: "mysql" | "mariadb", bench: StoreBench): Promise<Section[]> {
  const server = await startMysqlServer(flavor);
  try {
    const contenders = { drain: NAMES, steady: [...NAMES, "mysql-relay-cdc"] } as const;
    const durability = "The log is written at every commit and not synced.";
    const named = { ...server, name: `${flavor} ${server.version}` };
    return await storeSections(flavor, { server: named, contenders, durability }, bench);
  } finally {
    await server.stop();
  }
}
