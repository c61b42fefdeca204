import { type TestContext, test } from "vitest";
import { EVERYTHING } from "./test-depth.ts";

type AddTest = (name: string, run: (context: TestContext) => Promise<void>) => void;

/** `test` for one that repeats most of another; not collected in runs that do not have everything. */
export const longerTest: AddTest = EVERYTHING ? test : () => undefined;
