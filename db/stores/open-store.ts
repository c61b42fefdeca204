import type { Store, StoreEngine, StoreOptions } from "./port/store.ts";
import { addressOf } from "./postgres/connection/address-of.ts";
import { problemOfUrl } from "./postgres/connection/connection-string.ts";

export type StoreKind = "postgres";

interface Kind {
  /** Loads the driver. */
  load(): Promise<StoreEngine>;
  problemOfUrl(url: string): string | null;
  addressOf(url: string): string;
}

/** Every kind of store that there is. An engine and its driver are loaded when the first store of its kind is opened. */
const KINDS: Record<StoreKind, Kind> = {
  postgres: {
    load: async () => (await import("./postgres/open-postgres-store.ts")).postgresEngine,
    problemOfUrl,
    addressOf,
  },
};

/** Loads an engine before it is needed, so that the first question to a store does not wait for it. */
export async function loadEngine(kind: StoreKind): Promise<void> {
  await KINDS[kind].load();
}

export async function openStore({ kind, ...options }: StoreOptions & { kind: StoreKind }): Promise<Store> {
  return (await KINDS[kind].load()).openStore(options);
}

/** Whether databases of a kind take the writes that they are opened for, and have connections enough. */
export async function checkDatabases(
  kind: StoreKind,
  uses: Parameters<StoreEngine["checkDatabases"]>[0],
): ReturnType<StoreEngine["checkDatabases"]> {
  return (await KINDS[kind].load()).checkDatabases(uses);
}

/** What keeps a URL from being read as it was meant; null when nothing does. Never repeats a part of the URL. */
export function problemOfStoreUrl(kind: StoreKind, url: string): string | null {
  return KINDS[kind].problemOfUrl(url);
}

/** Host, port and database of a URL, without the user and the password. */
export function addressOfStore(kind: StoreKind, url: string): string {
  return KINDS[kind].addressOf(url);
}
