import { expect, test } from "vitest";
import { murmur2, partitionOfKey } from "./murmur2.ts";

/** Key, murmur2, partition of 6 and of 7, as computed by Kafka 4.1's `Utils.murmur2` and `Utils.toPositive`. */
const JAVA: [string, number, number, number][] = [
  ["", 275646681, 3, 2],
  ["a", -1563381124, 4, 5],
  ["ab", 316155434, 2, 0],
  ["abc", 479470107, 3, 4],
  ["abcd", -1323649548, 2, 5],
  ["abcde", 461995741, 1, 4],
  ["order-1", 1221710326, 4, 4],
  ["agg-996", 348675950, 2, 0],
  ["Zoë 漢字 😀", -1996548700, 4, 3],
  ["00000000-0000-4000-8000-000000000042", -1667101338, 2, 2],
];

test.each(JAVA)("the key %j gets the partition that Java's producers choose", (key, hash, ofSix, ofSeven) => {
  const bytes = Buffer.from(key, "utf8");
  expect(murmur2(bytes)).toBe(hash);
  expect(partitionOfKey(bytes, 6)).toBe(ofSix);
  expect(partitionOfKey(bytes, 7)).toBe(ofSeven);
});
