import type { ChaosStore, StoreInput } from "./chaos-store.ts";

/** @throws MysqlUnavailable or DynamodbUnavailable */
export async function openChaosStore(input: StoreInput): Promise<ChaosStore> {
  switch (input.options.store) {
    case "postgres":
      return (await import("./postgres/postgres-store.ts")).openPostgresStore(input);
    case "mysql":
    case "mariadb":
      return (await import("./mysql/mysql-store.ts")).openMysqlStore(input.options.store, input);
    case "dynamodb":
      return (await import("./dynamodb/dynamodb-store.ts")).openDynamodbStore(input);
  }
}
