import { expect, test } from "vitest";
import { decode, fieldsOf } from "../decode.fixture.ts";

const from64 = (text: string) => Buffer.from(text, "base64");
/** An object of class shop.events.OrderPlaced, by Python's own pickle. */
const PICKLES = {
  2: "gAJjc2hvcC5ldmVudHMKT3JkZXJQbGFjZWQKcQApgXEBfXECKFgIAAAAb3JkZXJfaWRxA1gLAAAAb3JkZXItNDgyMTNxBFgFAAAAdG90YWxxBU26BFgIAAAAY3VzdG9tZXJxBlgEAAAAWm/Dq3EHdWIu",
  5: "gAWVXQAAAAAAAACMC3Nob3AuZXZlbnRzlIwLT3JkZXJQbGFjZWSUk5QpgZR9lCiMCG9yZGVyX2lklIwLb3JkZXItNDgyMTOUjAV0b3RhbJRNugSMCGN1c3RvbWVylIwEWm/Dq5R1Yi4=",
};
/** `os.system("rm -rf /")` when loaded. */
const HOSTILE_PICKLE = "gASVIwAAAAAAAACMBXBvc2l4lIwGc3lzdGVtlJOUjAhybSAtcmYgL5SFlFKULg==";
/** An object with a long, a String and an ArrayList, by java.io.ObjectOutputStream. */
const JAVA =
  "rO0ABXNyAA1QJE9yZGVyUGxhY2Vkxc4nsv71yxkCAANKAAV0b3RhbEwAB29yZGVySWR0ABJMamF2YS9sYW5nL1N0cmluZztMAAR0YWdzdAAQTGphdmEvdXRpbC9MaXN0O3hwAAAAAAAABLp0AAtvcmRlci00ODIxM3NyABNqYXZhLnV0aWwuQXJyYXlMaXN0eIHSHZnHYZ0DAAFJAARzaXpleHAAAAACdwQAAAACdAAEZ2lmdHQAB2V4cHJlc3N4";

test.each([2, 5] as const)("a pickle of protocol %i lists names and texts, and is not loaded", async (protocol) => {
  const decoded = await decode(from64(PICKLES[protocol]));
  expect(decoded.chain).toEqual(["column", `Python pickle, protocol ${protocol}`]);
  expect(fieldsOf(decoded)).toEqual({
    protocol: { value: String(protocol) },
    names: ["shop.events.OrderPlaced"],
    texts: ["order_id", "order-48213", "total", "customer", "Zoë"],
  });
  expect(decoded.remarks.join(" ")).toContain("never loaded");
});

test("a pickle in base64, as Django writes it, is unfolded", async () => {
  expect((await decode(PICKLES[5])).chain).toEqual(["column", "base64", "Python pickle, protocol 5"]);
});

test("what a hostile pickle would call is listed", async () => {
  expect(fieldsOf(await decode(from64(HOSTILE_PICKLE)))).toMatchObject({
    names: ["posix.system"],
    texts: ["rm -rf /"],
  });
});

test("a Java stream lists classes and texts", async () => {
  const decoded = await decode(from64(JAVA));
  expect(decoded.chain).toEqual(["column", "Java serialisation"]);
  expect(fieldsOf(decoded)).toEqual({
    classes: ["P$OrderPlaced", "java.util.ArrayList"],
    texts: ["Ljava/lang/String;", "Ljava/util/List;", "order-48213", "gift", "express"],
  });
  expect(decoded.remarks.join(" ")).toContain("no class was loaded");
});
