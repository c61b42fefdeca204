import { loadEngine, openStore } from "#db/stores/open-store.ts";
import type { Store } from "#db/stores/port/store.ts";
import type { StoreConfig } from "../config/store-schema.ts";
import { StoreGuard } from "./store-guard.ts";

/** A store with its configuration. */
export interface StoreHandle extends Store {
  readonly config: StoreConfig;
  /** Wraps queries so that they fail quickly while the store is silent. */
  readonly guard: StoreGuard;
}

/** A store that may not be open yet; its engine is loaded on first use. */
export interface LazyStore {
  readonly name: string;
  readonly guard: StoreGuard;
  /** Returns the same handle each time. */
  open(): Promise<StoreHandle>;
  close(): Promise<void>;
}

export function createLazyStore(input: { name: string; config: StoreConfig; applicationName: string }): LazyStore {
  const { name, config, applicationName } = input;
  let opening: Promise<StoreHandle> | null = null;
  // A load error is reported by the first query.
  loadEngine(config.kind).catch(() => undefined);
  const guard = new StoreGuard({ what: `store ${name}`, ping: async () => (await open()).ping() });
  const open = () => {
    opening ??= openStore({ ...config, name, applicationName }).then(
      (store) => ({ ...store, config, guard }),
      (error: unknown) => {
        opening = null;
        throw error;
      },
    );
    return opening;
  };
  return {
    name,
    guard,
    open,
    async close() {
      const store = await opening?.catch(() => undefined);
      await store?.close();
    },
  };
}
