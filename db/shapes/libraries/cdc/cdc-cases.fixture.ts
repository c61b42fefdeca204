import type { LibraryCase } from "../library-case.fixture.ts";
import { debeziumCases } from "./debezium.case.ts";
import { gustavofrezeCase } from "./gustavofreze.case.ts";

export const cdcCases: readonly LibraryCase[] = [...debeziumCases, gustavofrezeCase];
