import { expect, test } from "vitest";
import { readStartArguments } from "./start-arguments.mjs";

const MYSQL_URL = "mysql://root:p%40ss@127.0.0.1:33061/theirs?ssl-mode=REQUIRED";

test("without arguments the demo writes to the embedded Postgres, whatever MYSQL_URL is", () => {
  const expected = { verbose: false, demoStore: { kind: "postgres" } };
  expect(readStartArguments([], { MYSQL_URL })).toEqual(expected);
  expect(readStartArguments(["--store", "postgres"], {})).toEqual(expected);
});

test("--store mysql takes a database of the demo's own on the server of MYSQL_URL", () => {
  const url = "mysql://root:p%40ss@127.0.0.1:33061/outbox_console_demo?ssl-mode=REQUIRED";
  expect(readStartArguments(["--verbose", "--store", "mysql"], { MYSQL_URL })).toEqual({
    verbose: true,
    demoStore: { kind: "mysql", url },
  });
  expect(readStartArguments(["--store=mysql"], { MYSQL_URL: "mariadb://me@db" }).demoStore).toEqual({
    kind: "mysql",
    url: "mariadb://me@db/outbox_console_demo",
  });
});

test.each<[args: string[], env: Record<string, string>, sentence: RegExp]>([
  [["--store", "mysql"], {}, /set MYSQL_URL to one of MySQL 8 or MariaDB 10\.6/],
  [["--store", "mysql"], { MYSQL_URL: "" }, /set MYSQL_URL/],
  [["--store", "mysql"], { MYSQL_URL: "postgres://x@y/" }, /MYSQL_URL must be a URL such as mysql:/],
  [["--store", "mysql"], { MYSQL_URL: "mysql://root:a#b@c/" }, /percent-encoded/],
  [["--store", "mysql"], { MYSQL_URL, DATABASE_URL: "postgres://x@y/z" }, /no demo is shown here/],
  [["--store", "oracle"], {}, /--store oracle is not known.*postgres or mysql/],
  [["--store"], {}, /npm start -- \[--store postgres\|mysql\]/],
  [["--shop", "mysql"], {}, /--shop.*\n.*npm start -- \[--store postgres\|mysql\]/],
  [["mysql"], {}, /'mysql'.*\n.*npm start -- \[--store postgres\|mysql\]/],
])("%j with %j is refused", (args, env, sentence) => {
  expect(() => readStartArguments(args, env)).toThrow(sentence);
});
