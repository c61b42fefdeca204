import { chmod, chown, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serverIdentity } from "#db/embedded/server-command.ts";
import { startEmbeddedPostgres } from "#db/embedded/start-embedded-postgres.ts";
import type { Certificate } from "./make-certificates.ts";
import { withAdmin } from "./test-cluster.ts";

export type TlsPostgres = {
  /** Superuser URL without parameters; host 127.0.0.1, includes the password. */
  url: string;
  /** Replaces the lines of pg_hba.conf; the server reads them a moment later. */
  admit(rules: string): Promise<void>;
  stop(): Promise<void>;
};

/** A Postgres private to this test with `ssl = on` and the certificate. */
export async function startTlsPostgres(certificate: Certificate): Promise<TlsPostgres> {
  const folder = await mkdtemp(join(tmpdir(), "outbox-console-tls-postgres-"));
  await chmod(folder, 0o755);
  const [cert, key] = [join(folder, "server.pem"), join(folder, "server.key")];
  await writeFile(cert, certificate.cert);
  await writeFile(key, certificate.key, { mode: 0o600 });
  // The server refuses a key owned by another user.
  const identity = serverIdentity();
  if (identity) await chown(key, identity.uid, identity.gid);
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, "cluster"),
    settings: { ssl: "on", ssl_cert_file: cert, ssl_key_file: key, fsync: "off" },
  });
  return {
    url: server.url,
    admit: (rules) =>
      withAdmin(server.url, async (admin) => {
        const { rows } = await admin.query<{ file: string }>("SELECT current_setting('hba_file') AS file");
        await writeFile(rows[0]?.file as string, `${rules}\n`);
        await admin.query("SELECT pg_reload_conf()");
      }),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
