import { fileURLToPath, pathToFileURL } from "node:url";
import { basePathOf, serverUnder } from "./base-path.mjs";

const BEFORE_SERVER = pathToFileURL(fileURLToPath(new URL("./before-server.mjs", import.meta.url))).href;

/**
 * Node's arguments to serve the built console, under BASE_PATH. The server reads `HOST` and `PORT` from its
 * environment; before-server.mjs has the defaults.
 * @param {string} root
 * @param {string} [basePath]
 */
export function serverArgs(root, basePath = basePathOf()) {
  return ["--import", BEFORE_SERVER, serverUnder(root, basePath)];
}
