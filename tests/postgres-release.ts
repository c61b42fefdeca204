import { createHash } from "node:crypto";
import { relative } from "node:path";
import { expect, inject } from "vitest";

/** Of the embedded Postgres that tests run on. */
const RELEASES = ["newest", "14"] as const;
export type Release = (typeof RELEASES)[number];

const ROOT = `${import.meta.dirname}/..`;

/** Release for a test file if a run has both: chosen by the file's path, for about half of the files each. */
export function releaseOf(file: string): Release {
  const [first = 0] = createHash("sha256").update(relative(ROOT, file)).digest();
  return first % 2 === 0 ? "newest" : "14";
}

/** Superuser URL of the server on which the running test file has its databases. */
export function postgresAdminUrl(): string {
  const urls = inject("postgresAdminUrls");
  return urls[releaseOf(expect.getState().testPath ?? "")] ?? urls.newest;
}
