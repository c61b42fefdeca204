import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, createServer, type Server } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TlsConfig } from "#services/config/sinks/tls-schema.ts";
import { makeCertificates, type TestCertificates } from "#tests/make-certificates.ts";
import { tlsOptions } from "./tls-options.ts";

describe("TLS settings", () => {
  let certificates: TestCertificates;
  let server: Server;
  let folder: string;
  beforeAll(async () => {
    certificates = makeCertificates();
    folder = await mkdtemp(join(tmpdir(), "outbox-console-tls-options-"));
    const { ca, server: own } = certificates;
    server = createServer({ ...own, ca, requestCert: true, rejectUnauthorized: false }, (socket) => {
      socket.on("error", () => undefined);
      socket.end(`${socket.authorized ? "known" : "unknown"} ${String(socket.servername)}`);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What the server reports about a client that connected with these settings. */
  async function greeting(config: Exclude<TlsConfig, false>): Promise<string> {
    const { port } = server.address() as AddressInfo;
    const socket = connect({ host: "127.0.0.1", port, ...tlsOptions(config) });
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    return text;
  }

  test("no setting means no TLS; true means the system's authorities", () => {
    expect(tlsOptions(false)).toBeUndefined();
    expect(tlsOptions(true)).toEqual({});
  });

  test("an authority as text is trusted, and without it the server is not", async () => {
    await expect(greeting(true)).rejects.toThrow(/certificate/);
    expect(await greeting({ ca: certificates.ca, insecure: false })).toMatch(/^unknown/);
  });

  test("text from an environment variable may contain line breaks as two characters", async () => {
    const ca = certificates.ca.replaceAll("\n", "\\n");
    expect(await greeting({ ca, insecure: false })).toMatch(/^unknown/);
  });

  test("a client's certificate may be text or a file", async () => {
    const { ca, client } = certificates;
    const [cert, key] = [join(folder, "client.pem"), join(folder, "client.key")];
    await writeFile(cert, client.cert);
    await writeFile(key, client.key);
    expect(await greeting({ ca, ...client, insecure: false })).toMatch(/^known/);
    expect(await greeting({ ca, cert, key, insecure: false })).toMatch(/^known/);
  });

  test("the name to check may differ from the address", async () => {
    const { ca } = certificates;
    expect(await greeting({ ca, serverName: "events.internal", insecure: false })).toBe("unknown events.internal");
    await expect(greeting({ ca, serverName: "other.internal", insecure: false })).rejects.toThrow(/other\.internal/);
  });

  test("insecure accepts any certificate", async () => {
    expect(await greeting({ insecure: true })).toMatch(/^unknown/);
  });

  test("files that are not there or hold no PEM, and half a client certificate, are refused in a sentence", async () => {
    const empty = join(folder, "empty");
    await writeFile(empty, "nothing");
    expect(() => tlsOptions({ ca: join(folder, "none"), insecure: false })).toThrow(/tls\.ca.*cannot be read: ENOENT/);
    expect(() => tlsOptions({ ca: empty, insecure: false })).toThrow(/in tls\.ca contains no PEM/);
    expect(() => tlsOptions({ cert: certificates.client.cert, insecure: false })).toThrow(
      /both tls\.cert and tls\.key/,
    );
    const { cert } = certificates.client;
    expect(() => tlsOptions({ cert, key: "MIGHAgEAMBMG", insecure: false })).toThrow(/^(?!.*MIGH).*tls\.key/);
  });
});
