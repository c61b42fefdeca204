import { chmod, cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clusterPaths } from "./cluster-files.ts";
import { findFreePort } from "./free-port.ts";
import { initialiseCluster } from "./initialise-cluster.ts";
import { launchServer } from "./launch-server.ts";
import { findPlatformBinaries } from "./platform-binaries.ts";
import { stopServer } from "./stop-server.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "outbox-console-closed-"));
  await chmod(home, 0o700);
});

afterEach(() => rm(home, { recursive: true, force: true }));

test("runs from a home folder that is closed to other users, as /root is", async () => {
  const native = join(home, "native");
  const { postgres } = await findPlatformBinaries();
  await cp(dirname(dirname(postgres)), native, { recursive: true, verbatimSymlinks: true });
  const paths = clusterPaths(join(home, "cluster"));
  await mkdir(paths.root, { mode: 0o711 });
  await initialiseCluster({
    paths,
    initdb: join(native, "bin", "initdb"),
    password: "a-password",
    builtinLocale: true,
    sync: false,
  });
  const port = await findFreePort();
  const server = await launchServer({
    paths,
    postgres: join(native, "bin", "postgres"),
    port,
    url: `postgres://postgres:a-password@127.0.0.1:${port}/postgres`,
    settings: { fsync: "off", listen_addresses: "127.0.0.1", unix_socket_directories: "" },
  });
  await stopServer(server.pid);
  expect(server.pid).toBeGreaterThan(0);
});
