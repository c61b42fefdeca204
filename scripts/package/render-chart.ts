import { type ExecFileSyncOptions, execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../lib/project.mjs";
import type { Manifest } from "./deployed-commands.ts";

/** Helm as a library, and the schemas of Kubernetes. */
const PACKAGES = ["helm-python-sdk==0.2.2", "kubernetes-validate==1.37.0"];
const FOLDER = join(homedir(), ".cache", "outbox-console", "helm-0.2.2");

/**
 * The chart's manifests, linted and valid by Kubernetes' schemas. Needs Python 3 once with the package index, from which it
 * installs Helm into the user's cache. Throws if it cannot, and at the first finding.
 */
export function renderChart(values: object): Manifest[] {
  const python = preparePython();
  const script = join(ROOT, "deploy", "helm", "render-chart.py");
  const run = spawnSync(python, [script], { input: JSON.stringify(values), encoding: "utf8", maxBuffer: 1e8 });
  if (run.status !== 0) throw new Error(`The chart is not valid.\n${run.stderr}`);
  return JSON.parse(run.stdout) as Manifest[];
}

function preparePython(): string {
  const python = join(FOLDER, "bin", "python");
  const isReady =
    existsSync(python) && spawnSync(python, ["-c", "import helm_python, kubernetes_validate"]).status === 0;
  if (isReady) return python;
  const options: ExecFileSyncOptions = { stdio: ["ignore", "ignore", "inherit"] };
  execFileSync("python3", ["-m", "venv", FOLDER], options);
  execFileSync(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...PACKAGES], options);
  return python;
}
