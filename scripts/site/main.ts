import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openApiDocument } from "#contracts/openapi.ts";
import { PROGRAM_VERSION } from "#services/program-version.ts";
import { ROOT } from "../lib/project.mjs";
import { runCommand } from "../lib/run-command.mjs";
import { describeApi } from "./describe-api.ts";

/** `npm run site`: the documentation as a site, with search, into site/dist. A link that leads nowhere fails it. */
const site = join(ROOT, "site");
const pages = join(site, "pages");

rmSync(pages, { recursive: true, force: true });
for (const source of ["docs", "ARCHITECTURE.md", "CHANGELOG.md", "README.md"])
  cpSync(join(ROOT, source), join(pages, source), { recursive: true });
// The site has the pages of docs/ at its root, beside README and CHANGELOG.
for (const name of readdirSync(join(pages, "docs")).filter((file) => file.endsWith(".md"))) {
  const page = join(pages, "docs", name);
  writeFileSync(page, readFileSync(page, "utf8").replaceAll("](../", "](./"));
}
writeFileSync(join(pages, "docs", "api-reference.md"), describeApi(openApiDocument(PROGRAM_VERSION)));

const npm = (...args: string[]) => runCommand("npm", [...args, "--prefix", site]);
const installed = existsSync(join(site, "node_modules", "vitepress")) ? 0 : await npm("ci", "--no-audit", "--no-fund");
process.exitCode = installed || (await npm("run", "build", "--silent"));
