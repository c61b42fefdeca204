import { cdcTables } from "./cdc/cdc-tables.ts";
import { dotnetTables } from "./dotnet/dotnet-tables.ts";
import { goTables } from "./go/go-tables.ts";
import { jvmTables } from "./jvm/jvm-tables.ts";
import type { LibraryTable } from "./library-table-type.ts";
import { nodeTables } from "./node/node-tables.ts";
import { otherTables } from "./other/other-tables.ts";
import { phpTables } from "./php/php-tables.ts";
import { pythonTables } from "./python/python-tables.ts";
import { rubyTables } from "./ruby/ruby-tables.ts";

/** Every table that is known by its library. Slugs are unique. */
export const LIBRARY_TABLES: readonly LibraryTable[] = [
  ...cdcTables,
  ...jvmTables,
  ...dotnetTables,
  ...goTables,
  ...nodeTables,
  ...phpTables,
  ...pythonTables,
  ...rubyTables,
  ...otherTables,
];
