import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";
import { type Connection, createServer } from "mysql2";
import { describe, expect, onTestFinished, test } from "vitest";
import { testMysqlDatabase } from "#tests/mysql.ts";
import { checkServer, createOwnDatabase } from "./own-database.ts";

describe.each(["mysql", "mariadb"] as const)("the demo's database on %s", (flavor) => {
  const server = testMysqlDatabase(flavor, "empty");

  const run = (sql: string) => server().query(sql);

  /** A database's name, and the demo's URL for it. */
  function place() {
    const name = `demo_${process.pid}_${randomBytes(4).toString("hex")}`;
    onTestFinished(async () => void (await run(`DROP DATABASE IF EXISTS ${name}`)));
    return { name, url: Object.assign(new URL(server().url), { pathname: `/${name}` }).toString() };
  }

  const tablesOf = async (name: string) =>
    (await run(`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${name}'`)).map(
      (row) => row.name,
    );

  test("is created with its marker, and known again", async () => {
    const { name, url } = place();
    await checkServer(url);
    expect(await run(`SHOW DATABASES LIKE '${name}'`)).toEqual([]);
    await createOwnDatabase(url);
    expect(await tablesOf(name)).toEqual(["demo_marker"]);
    await checkServer(url);
    await createOwnDatabase(url);
  });

  test.each(["", "CREATE TABLE demo_marker (id int)"])("one without the marker is not touched: %s", async (ddl) => {
    const { name, url } = place();
    await run(`CREATE DATABASE ${name}`);
    if (ddl !== "") await run(ddl.replace("demo_marker", `${name}.demo_marker`));
    const before = await tablesOf(name);
    const refused = { code: "conflict", message: expect.stringContaining(`${name} at 127.0.0.1:`) };
    await expect(checkServer(url)).rejects.toMatchObject(refused);
    await expect(createOwnDatabase(url)).rejects.toMatchObject(refused);
    expect(await tablesOf(name)).toEqual(before);
  });

  test("a user who may not create it is told the GRANT", async () => {
    const { name, url } = place();
    const user = `d_${randomBytes(4).toString("hex")}`;
    await run(`CREATE USER '${user}'@'%' IDENTIFIED BY 'secret'`);
    onTestFinished(async () => void (await run(`DROP USER '${user}'@'%'`)));
    const theirs = Object.assign(new URL(url), { username: user, password: "secret" }).toString();
    await expect(createOwnDatabase(theirs)).rejects.toMatchObject({
      code: "forbidden",
      message: expect.stringContaining(`GRANT ALL ON \`${name}\`.*`),
    });
    const wrong = Object.assign(new URL(url), { username: user, password: "other" }).toString();
    await expect(checkServer(wrong)).rejects.toThrow(/from MYSQL_URL\) refuses the user name or password/);
    await run(`GRANT ALL ON \`${name}\`.* TO '${user}'@'%'`);
    await createOwnDatabase(theirs);
    expect(await tablesOf(name)).toEqual(["demo_marker"]);
  });
});

test("a server that does not answer is named", async () => {
  await expect(checkServer("mysql://root@127.0.0.1:1/outbox_console_demo")).rejects.toThrow(
    "The database of the demo (127.0.0.1:1, from MYSQL_URL) does not answer (ECONNREFUSED).",
  );
});

test.each([
  ["5.7.44", /MySQL 5\.7; MySQL 8\.0 and MariaDB 10\.6 are the oldest/],
  ["5.5.5-10.5.23-MariaDB", /MariaDB 10\.5; MySQL 8\.0 and MariaDB 10\.6 are the oldest/],
])("a server of version %s is refused", async (version, sentence) => {
  const url = await oldServer(version);
  await expect(checkServer(url)).rejects.toThrow(sentence);
});

/** A server that accepts every sign-in and answers every statement with its version. */
async function oldServer(version: string): Promise<string> {
  const connections = new Set<Connection>();
  const server = createServer((connection) => {
    connections.add(connection);
    connection.on("error", () => undefined);
    const session = connection as ServerSide;
    const letIn = (_: unknown, done: (refusal: null) => void) => {
      done(null);
      session.sequenceId = 0;
    };
    connection.serverHandshake({ ...HELLO, serverVersion: version, authCallback: letIn });
    connection.on("query", () => answer(session, version));
  });
  const socket = (server as unknown as { _server: Server })._server;
  server.listen(0);
  await once(socket, "listening");
  onTestFinished(() => {
    for (const connection of connections) connection.destroy();
    socket.close();
  });
  return `mysql://root@127.0.0.1:${(socket.address() as AddressInfo).port}/outbox_console_demo`;
}

const TEXT = {
  ...{ catalog: "def", schema: "", table: "", orgTable: "", name: "version", orgName: "" },
  columnType: 253,
};
const HELLO = {
  protocolVersion: 10,
  connectionId: 1,
  statusFlags: 2,
  characterSet: 45,
  capabilityFlags: 0xffffff & ~0x800,
};

/** Methods of the driver's server that its types lack. */
type ServerSide = Connection & {
  sequenceId: number;
  writeColumns(columns: object[]): void;
  writeTextRow(values: string[]): void;
  writeEof(): void;
};

function answer(connection: ServerSide, text: string): void {
  connection.sequenceId = 1;
  connection.writeColumns([{ ...TEXT, characterSet: 45, columnLength: 40, flags: 0, decimals: 0 }]);
  connection.writeTextRow([text]);
  connection.writeEof();
}
