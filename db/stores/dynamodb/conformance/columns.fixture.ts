import type { MappedColumn, TimeEncoding } from "../../port/mapping.ts";

export function column(name: string, type: string, time?: TimeEncoding): MappedColumn {
  return { name, type, nullable: name !== "PK", ...(time ? { time } : {}), from: "config" };
}

export const timeColumn = (name: string) => column(name, "time", { kind: "timestamptz" });
