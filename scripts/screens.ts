import { join } from "node:path";
import { findBrowser } from "./lib/find-browser.mjs";
import { findNode } from "./lib/find-node.mjs";
import { ROOT } from "./lib/project.mjs";
import { runCommand } from "./lib/run-command.mjs";

/** `npm run screens`: takes the pictures of docs/images from the demo shop, in a quarter of an hour. */
const playwright = join(ROOT, "node_modules/@playwright/test/cli.js");
const config = join(ROOT, "e2e/screens/playwright.config.ts");
process.exitCode = await runCommand(findNode(), [playwright, "test", "--config", config], { env: await findBrowser() });
