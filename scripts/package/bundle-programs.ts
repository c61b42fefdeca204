import { join } from "node:path";
import { rolldown } from "rolldown";
import { PROGRAMS } from "../lib/run.mjs";

/** Programs besides those that the package's commands start directly. */
const FURTHER = ["scripts/supervisor/main.ts", "services/config/check-start-cli.ts", "demo/check-server.ts"];

/**
 * Node strips no types inside node_modules, so the package has compiled programs, each at the path of its source.
 * Packages are bundled into them, except those in `external`.
 */
export async function bundlePrograms(root: string, options: { into: string; external: readonly string[] }) {
  const sources = [...Object.values(PROGRAMS), ...FURTHER];
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(sources.map((source) => [source.replace(/\.ts$/, ""), join(root, source)])),
    platform: "node",
    // The commands that start the programs share these modules with them.
    external: (id) => /\/lib\/[\w-]+\.mjs$/.test(id) || options.external.includes(id),
    logLevel: "warn",
  });
  await bundle.write({
    dir: options.into,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "chunks/[name]-[hash].mjs",
    // Logs and errors print the names of classes.
    keepNames: true,
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
}
