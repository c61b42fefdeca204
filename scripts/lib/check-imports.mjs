import { existsSync } from "node:fs";
import { join } from "node:path";
import { cruise } from "dependency-cruiser";
import { FORBIDDEN } from "./import-rules.mjs";
import { CODE_FOLDERS } from "./project.mjs";

const CHECKED = [...CODE_FOLDERS, "proxy.ts", "instrumentation.ts"];

/**
 * Every import that the rules forbid, in a project's folder, by dependency-cruiser.
 * @param {string} root
 * @returns {Promise<{ file: string, imports: string, why: string }[]>} in the order of files
 */
export async function checkImports(root) {
  const folders = CHECKED.filter((name) => existsSync(join(root, name)));
  const { output } = await cruise(
    folders,
    {
      baseDir: root,
      ruleSet: { forbidden: FORBIDDEN },
      validate: true,
      // TypeScript 7 has no API for tools yet; swc also reads type imports.
      parser: "swc",
      tsPreCompilationDeps: true,
      doNotFollow: { path: "node_modules" },
      exclude: { path: "(^|/)(\\.next|\\.data|test-results)/|^client/dist/" },
    },
    {
      conditionNames: ["outbox-console-source", "import", "node", "default", "types"],
      exportsFields: ["exports"],
      extensions: [".ts", ".tsx", ".mjs", ".js"],
    },
  );
  return output.summary.violations
    .map(({ from, to, rule, cycle }) => ({
      file: from,
      imports: cycle ? cycle.map(({ name }) => name).join(" -> ") : to,
      why: FORBIDDEN.find(({ name }) => name === rule.name)?.comment ?? rule.name,
    }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
}
