import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Certificate = { cert: string; key: string };
export type TestCertificates = {
  /** The authority that signed both, as PEM. */
  ca: string;
  /** For the requested host names. */
  server: Certificate;
  client: Certificate;
};

const OWN_NAMES = "DNS:localhost,DNS:events.internal,IP:127.0.0.1";

const VALID_DAYS = 2;

/** A new authority, server certificate and client certificate, as PEM. A negative number of days: both have expired. */
export function makeCertificates(serverNames: string = OWN_NAMES, days: number = VALID_DAYS): TestCertificates {
  const folder = mkdtempSync(join(tmpdir(), "outbox-console-tls-"));
  const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  const text = (file: string) => readFileSync(join(folder, file), "utf8");
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const sign = (name: string, extensions: string): Certificate => {
    writeFileSync(join(folder, `${name}.ext`), extensions);
    openssl("req", ...curve, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", `/CN=${name}`);
    const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
    openssl(
      "x509",
      "-req",
      "-in",
      `${name}.csr`,
      ...by,
      "-days",
      String(days),
      "-out",
      `${name}.pem`,
      "-extfile",
      `${name}.ext`,
    );
    return { cert: text(`${name}.pem`), key: text(`${name}.key`) };
  };
  try {
    openssl(
      "req",
      "-x509",
      ...curve,
      "-keyout",
      "ca.key",
      "-out",
      "ca.pem",
      "-days",
      String(VALID_DAYS),
      "-subj",
      "/CN=test authority",
    );
    return {
      ca: text("ca.pem"),
      server: sign("server", `subjectAltName=${serverNames}\n`),
      client: sign("client", "extendedKeyUsage=clientAuth\n"),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
