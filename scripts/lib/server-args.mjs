import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const BEFORE_SERVER = pathToFileURL(fileURLToPath(new URL("./before-server.mjs", import.meta.url))).href;

/**
 * Node's arguments to serve the built console. The server reads `HOST` and `PORT` from its environment; before-server.mjs
 * has the defaults.
 * @param {string} root
 */
export function serverArgs(root) {
  return ["--import", BEFORE_SERVER, join(root, ".next", "standalone", "server.js")];
}
