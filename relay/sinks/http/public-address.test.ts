import { describe, expect, test } from "vitest";
import { isPublicAddress, publicLookup, RefusedAddressError, type ResolveAll } from "./public-address.ts";

describe("public addresses", () => {
  test.each(["1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "2a00:1450::1"])(
    "%s is one",
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  test.each([
    "0.0.0.0",
    "10.1.2.3",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.0.1",
    "168.63.129.16",
    "169.254.169.254",
    "172.31.255.255",
    "192.0.0.192",
    "192.168.0.1",
    "198.19.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "2001:db8::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "ff02::1",
    "localhost",
    "",
  ])("%s is none", (address) => expect(isPublicAddress(address)).toBe(false));
});

describe("the lookup of redirects", () => {
  const ask = (addresses: string[], all: boolean) => {
    const resolve: ResolveAll = (_host, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
      );
    return new Promise<unknown>((settle, failed) => {
      publicLookup(resolve)("hook.example", { all }, (error, address) => (error ? failed(error) : settle(address)));
    });
  };

  test("returns the addresses that it checked", async () => {
    expect(await ask(["93.184.216.34"], false)).toBe("93.184.216.34");
    expect(await ask(["93.184.216.34", "2606:4700::1"], true)).toEqual([
      { address: "93.184.216.34", family: 4 },
      { address: "2606:4700::1", family: 6 },
    ]);
  });

  test("refuses a name with any address that is not public, and one without an address", async () => {
    await expect(ask(["93.184.216.34", "10.0.0.1"], true)).rejects.toThrow(RefusedAddressError);
    await expect(ask(["169.254.169.254"], false)).rejects.toThrow(/hook\.example is refused.*169\.254\.169\.254/);
    await expect(ask([], true)).rejects.toThrow(/has no address/);
  });
});
