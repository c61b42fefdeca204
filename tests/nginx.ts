import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram } from "./brokers/find-program.ts";
import { findFreePort } from "./free-port.ts";
import { waitFor } from "./wait-for.ts";

export interface Nginx {
  /** Without a slash at the end. */
  origin: string;
  stop(): Promise<void>;
}

const PROGRAM = findProgram("nginx");

/** Reason for skipping tests with nginx; null if it is installed. */
export const NO_NGINX =
  PROGRAM === null ? "no nginx: there is no such program on this machine (apt-get install nginx-light)" : null;

/** An nginx private to this test. `locations`: the contents of its `server` block. */
export async function startNginx(locations: string): Promise<Nginx> {
  if (PROGRAM === null) throw new Error("nginx is not installed.");
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-nginx-"));
  const port = await findFreePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const settings = `daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr error; events { worker_connections 256; }
http { access_log off; ${temporary.join(" ")} server { listen 127.0.0.1:${port}; ${locations} } }`;
  writeFileSync(join(folder, "nginx.conf"), settings);
  const child = spawn(PROGRAM, ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", "stderr"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4096);
  });
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`);
      return fetch(`${origin}/`, { redirect: "manual" }).then(
        () => true,
        () => false,
      );
    },
    { message: "nginx listens" },
  );
  return {
    origin,
    stop: async () => {
      if (child.exitCode === null) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
