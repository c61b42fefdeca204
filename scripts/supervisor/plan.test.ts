import { expect, test } from "vitest";
import { databasesOf } from "./plan.ts";

const POSTGRES = { kind: "postgres" } as const;
const own = (databaseUrl: string, configured = false) => databasesOf("own", POSTGRES, { databaseUrl, configured });

test("records of one database do not pass for those of another that DATABASE_URL names later", () => {
  const shop = own("postgres://eva:one@db.example.com:5432/shop");
  expect(shop[0]).toMatch(/^outbox_console_[0-9a-f]{12}$/);
  expect(own("postgresql://max:two@DB.example.com:5432/shop?sslmode=require")).toEqual(shop);
  for (const other of [
    "postgres://db.example.com:5432/billing",
    "postgres://db2.example.com:5432/shop",
    "mysql://x:3306/shop",
  ])
    expect(own(other)).not.toEqual(shop);
  expect(own("postgres://a:1,b:2/shop")).toHaveLength(1);
});

test("a configuration names its stores, so all of them have one database of records", () => {
  expect(own("postgres://db.example.com/shop", true)).toEqual(["outbox_console"]);
  expect(databasesOf("demo", POSTGRES)).toEqual(["outbox_console", "shop"]);
});
