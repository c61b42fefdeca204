import {
  addressOf as addressOfDynamodb,
  problemOfUrl as problemOfDynamodbUrl,
} from "./dynamodb/connection/dynamodb-url.ts";
import { addressOf as addressOfMysql } from "./mysql/connection/address-of.ts";
import { problemOfUrl as problemOfMysqlUrl } from "./mysql/connection/connection-string.ts";
import type { Store, StoreEngine, StoreOptions } from "./port/store.ts";
import { addressOf as addressOfPostgres } from "./postgres/connection/address-of.ts";
import { problemOfUrl as problemOfPostgresUrl } from "./postgres/connection/connection-string.ts";

export type StoreKind = "postgres" | "mysql" | "dynamodb";

interface Kind {
  /** Loads the driver. */
  load(): Promise<StoreEngine>;
  problemOfUrl(url: string): string | null;
  addressOf(url: string): string;
}

/** Every supported kind of store. Its engine and driver are loaded when the first store of the kind is opened. */
const KINDS: Record<StoreKind, Kind> = {
  postgres: {
    load: async () => (await import("./postgres/open-postgres-store.ts")).postgresEngine,
    problemOfUrl: problemOfPostgresUrl,
    addressOf: addressOfPostgres,
  },
  mysql: {
    load: async () => (await import("./mysql/open-mysql-store.ts")).mysqlEngine,
    problemOfUrl: problemOfMysqlUrl,
    addressOf: addressOfMysql,
  },
  dynamodb: {
    load: async () => (await import("./dynamodb/open-dynamodb-store.ts")).dynamodbEngine,
    problemOfUrl: problemOfDynamodbUrl,
    addressOf: addressOfDynamodb,
  },
};

/** Preloads an engine, so that the first query to a store does not wait for it. */
export async function loadEngine(kind: StoreKind): Promise<void> {
  await KINDS[kind].load();
}

export async function openStore({ kind, ...options }: StoreOptions & { kind: StoreKind }): Promise<Store> {
  return (await KINDS[kind].load()).openStore(options);
}

/** Checks that databases accept the writes they are opened for and have enough connections. */
export async function checkDatabases(
  kind: StoreKind,
  uses: Parameters<StoreEngine["checkDatabases"]>[0],
): ReturnType<StoreEngine["checkDatabases"]> {
  return (await KINDS[kind].load()).checkDatabases(uses);
}

/** Sentence: why the URL would be misread; null if it would not. Never repeats a part of the URL. */
export function problemOfStoreUrl(kind: StoreKind, url: string): string | null {
  return KINDS[kind].problemOfUrl(url);
}

/** Host, port and database of a URL, without the user and the password. */
export function addressOfStore(kind: StoreKind, url: string): string {
  return KINDS[kind].addressOf(url);
}
