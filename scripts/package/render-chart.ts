import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../lib/project.mjs";
import { deployTools } from "./deploy-tools.ts";
import type { Manifest } from "./deployed-commands.ts";

/** The chart's manifests, linted and valid by Kubernetes' schemas. Throws at a finding. */
export function renderChart(values: object): Manifest[] {
  const script = join(ROOT, "deploy", "helm", "render-chart.py");
  const options = { input: JSON.stringify(values), encoding: "utf8", maxBuffer: 1e8 } as const;
  const run = spawnSync(join(deployTools(), "python"), [script], options);
  if (run.status !== 0) throw new Error(`The chart is not valid.\n${run.stderr}`);
  return JSON.parse(run.stdout) as Manifest[];
}

/** Throws at a finding. */
export function lintDockerfile(): void {
  const run = spawnSync(join(deployTools(), "hadolint"), [join(ROOT, "deploy", "Dockerfile")], { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`The Dockerfile has findings.\n${run.stdout}${run.stderr}`);
}
