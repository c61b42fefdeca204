import { loadEngine, openStore } from "#db/stores/open-store.ts";
import type { Store } from "#db/stores/port/store.ts";
import type { StoreConfig } from "../config/store-schema.ts";
import { StoreLine } from "./store-line.ts";

/** A store as it is configured. */
export interface StoreHandle extends Store {
  readonly config: StoreConfig;
  /** Through it questions fail quickly while the store is silent. */
  readonly line: StoreLine;
}

/** A store that may not be open yet: its engine is loaded at the first question. */
export interface StoreDoor {
  readonly name: string;
  readonly line: StoreLine;
  /** The same handle each time. */
  open(): Promise<StoreHandle>;
  close(): Promise<void>;
}

export function createStoreDoor(input: { name: string; config: StoreConfig; applicationName: string }): StoreDoor {
  const { name, config, applicationName } = input;
  let opening: Promise<StoreHandle> | null = null;
  // What keeps it from being loaded is told by the first question.
  loadEngine(config.kind).catch(() => undefined);
  const line = new StoreLine({ what: `store ${name}`, ping: async () => (await open()).ping() });
  const open = () => {
    opening ??= openStore({ ...config, name, applicationName }).then((store) => ({ ...store, config, line }));
    return opening;
  };
  return {
    name,
    line,
    open,
    async close() {
      if (opening) await (await opening).close();
    },
  };
}
