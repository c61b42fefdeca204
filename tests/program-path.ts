import { existsSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/**
 * The file with which a test starts one of our programs, named by its source such as `relay/main.ts`: the bundle that
 * `npm test` has made of it, which starts five times faster, or the source itself when tests run without one.
 */
export function programPath(source: string): string {
  const bundles = process.env.OUTBOX_TEST_PROGRAMS;
  if (!bundles) return join(ROOT, source);
  const bundle = join(bundles, source.replace(/\.ts$/, ".js"));
  if (!existsSync(bundle)) throw new Error(`${source} is not in scripts/lib/test-programs.config.mjs.`);
  return bundle;
}
