import { expect, test } from "vitest";
import type { StoreConfig } from "../config/store-schema.ts";
import { createLazyStore } from "./store-handle.ts";

test("a store that could not be opened is tried again, and can be closed", async () => {
  const config = { kind: "none" } as unknown as StoreConfig;
  const door = createLazyStore({ name: "shop", config, applicationName: "test" });
  const first = door.open();
  await expect(first).rejects.toThrow();
  expect(door.open()).not.toBe(first);
  await expect(door.close()).resolves.toBeUndefined();
});
