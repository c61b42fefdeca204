import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvLine } from "./csv-line.ts";

/** A reader of RFC 4180 that takes the leading ' away; null for an unquoted empty field. */
function read(line: string): (string | null)[] {
  const fields: (string | null)[] = [];
  let rest = `,${line.slice(0, -2)}`;
  while (rest !== "") {
    const [whole, quoted, bare] = /^,(?:"((?:[^"]|"")*)"|([^",\r\n]*))/.exec(rest) ?? ["", "", ""];
    expect(whole, `in ${JSON.stringify(rest)}`).not.toBe("");
    rest = rest.slice(whole.length);
    fields.push(bare === "" ? null : (quoted?.replaceAll('""', '"') ?? bare ?? "").replace(/^'/, ""));
  }
  return fields;
}

describe("a line of CSV", () => {
  it("quotes what would break it, and tells null from an empty text", () => {
    expect(csvLine(["a", 'say "no"', "x,y", "1\r\n2", "", null, 3, false])).toBe(
      'a,"say ""no""","x,y","1\r\n2","",,3,false\r\n',
    );
  });

  it.each(["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "＝1", "'=1", '=HYPERLINK("http://x")'])(
    "does not let a spreadsheet run %j",
    (text) => {
      const line = csvLine([text]);
      expect(line).toMatch(/^"?'/);
      expect(read(line)).toEqual([text]);
    },
  );

  it("keeps numbers, also long ones and those below zero, as they are written", () => {
    const numbers = ["9007199254740993", "12.10", "-5", "-0.10"];
    expect(csvLine(numbers)).toBe("9007199254740993,12.10,-5,-0.10\r\n");
  });

  it("writes JSON as it is stored", () => {
    expect(read(csvLine([{ json: '{"total": 12.10, "ref": 9007199254740993}' }]))).toEqual([
      '{"total": 12.10, "ref": 9007199254740993}',
    ]);
  });

  it("gives every text back", () => {
    const cells = fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constant(null)), { minLength: 2, maxLength: 5 });
    fc.assert(
      fc.property(cells, (texts) => {
        expect(read(csvLine(texts))).toEqual(texts);
      }),
    );
  });
});
