import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "#tests/postgres.ts";
import { startProtocolProxy, type WireProxy } from "#tests/protocol-proxy.ts";
import { withScript } from "../replication/with-script.ts";
import { createPool } from "./pool.ts";
import { readWhyRefused } from "./refused-connection.ts";
import { RelaySessions } from "./sessions.ts";

const COUNT = { name: "one", text: "SELECT '1'", values: [] };
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** A session that the server ends at once, as with `idle_session_timeout` or during a restart. */
describe("a connection that is ended together with the server's word that it is ready", () => {
  const database = testDatabase("empty");
  let proxy: WireProxy;
  let url: string;
  /** Connections still to be ended so. */
  let left: number;

  beforeEach(async () => {
    const { hostname, port } = new URL(database().url);
    left = 1;
    proxy = await startProtocolProxy({ host: hostname, port: Number(port) }, (client, upstream) => {
      let starting = true;
      client.pipe(upstream);
      upstream.on("data", (chunk: Buffer) => {
        const ends = starting && left > 0 && chunk.subarray(-READY.length).equals(READY);
        starting &&= !chunk.subarray(-READY.length).equals(READY);
        if (!ends) return client.write(chunk);
        left -= 1;
        client.end(Buffer.concat([chunk, fatal("57P05", "terminating connection due to idle-session timeout")]));
      });
    });
    url = Object.assign(new URL(database().url), { port: String(proxy.port) }).toString();
  });
  afterEach(() => proxy.close());

  test("fails the relay's work, and the next work has another connection", async () => {
    const sessions = RelaySessions.over({ url, each: 1 });
    await expect(sessions.once([COUNT])).rejects.toThrow();
    expect(await sessions.once([COUNT])).toEqual([[["1"]]]);
    await sessions.close();
  });

  test("fails a query of the console, and the next one has another connection", async () => {
    const pool = createPool({ url, applicationName: "test", readOnly: true, max: 1, statementTimeoutMs: 5000 });
    await expect(pool.query("SELECT 1 AS one")).rejects.toThrow();
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  test("tells nothing about why the server lets nobody in", async () => {
    const pool = createPool({ url, applicationName: "test", readOnly: false, max: 1, statementTimeoutMs: 5000 });
    expect(await readWhyRefused(pool, "orders")).toBeNull();
    expect(left).toBe(0);
    await pool.end();
  });

  test("fails a script", async () => {
    const script = () => withScript(url, ({ script: run }) => run("SELECT '1'"));
    await expect(script()).rejects.toThrow();
    expect(await script()).toEqual([[["1"]]]);
  });
});

/** ErrorResponse of the protocol. */
function fatal(code: string, message: string): Buffer {
  const body = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from([0x45, 0, 0, 0, 0]);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
