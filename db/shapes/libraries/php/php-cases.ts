import type { LibraryCase } from "../library-case.fixture.ts";
import { dnakitareCase, dnakitareDeadLettersCase } from "./dnakitare.case.ts";
import { eventsauceCase } from "./eventsauce.case.ts";
import { symfonyCases } from "./symfony.case.ts";
import { webrekCases } from "./webrek.case.ts";

/** Cases of the libraries of PHP. */
export const phpCases: readonly LibraryCase[] = [
  dnakitareCase,
  dnakitareDeadLettersCase,
  eventsauceCase,
  ...symfonyCases,
  ...webrekCases,
];
