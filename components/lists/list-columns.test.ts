import { describe, expect, it } from "vitest";
import { DEFAULT_COLUMNS, exportedColumns, isDefault, readColumns, toggleColumn } from "./list-columns.ts";

describe("the list's columns", () => {
  it("are read in the table's order, without unknown ones", () => {
    expect(readColumns("id,password,state")).toEqual(["state", "id"]);
    expect(readColumns("password")).toBeUndefined();
    expect(readColumns(null)).toBeUndefined();
  });

  it("can be chosen, but not all taken away", () => {
    const more = toggleColumn(DEFAULT_COLUMNS, "createdAt");
    expect(more.slice(0, 2)).toEqual(["state", "createdAt"]);
    expect(isDefault(toggleColumn(more, "createdAt"))).toBe(true);
    expect(toggleColumn(["id"], "id")).toEqual(["id"]);
  });

  it("are exported with the id first, each once", () => {
    expect(exportedColumns(["took", "createdAt", "lastError"])).toEqual([
      "id",
      "createdAt",
      "publishedAt",
      "lastError",
      "lastErrorCode",
    ]);
  });
});
