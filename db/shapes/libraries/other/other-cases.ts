import type { LibraryCase } from "../library-case.fixture.ts";
import { hasuraCase } from "./hasura.case.ts";

/** Cases of the libraries of other languages. */
export const otherCases: readonly LibraryCase[] = [hasuraCase];
