import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const OWN_BANNER = pathToFileURL(fileURLToPath(new URL("./own-banner.mjs", import.meta.url))).href;

/**
 * Arguments of Node that serve the built console.
 * @param {string} root
 * @param {{ host: string, port: number }} listen
 */
export function nextStartArgs(root, { host, port }) {
  const next = join(root, "node_modules", "next", "dist", "bin", "next");
  return ["--import", OWN_BANNER, next, "start", "-H", host, "-p", String(port)];
}
