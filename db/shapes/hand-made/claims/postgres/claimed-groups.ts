import type { ClaimedTable } from "../claimed-table.ts";
import { CLAIMED_EARLIER_ERRORS } from "./errors/earlier-errors.ts";
import { CLAIMED_NAMED_COUNTS } from "./errors/named-counts.ts";
import { CLAIMED_PREPARED_AND_SUPERSEDED } from "./errors/prepared-and-superseded.ts";
import { CLAIMED_RESULTS_AND_REPEATS } from "./errors/results-and-repeats.ts";
import { CLAIMED_UNCOUNTED_ERRORS } from "./errors/uncounted-errors.ts";
import { CLAIMED_LANGUAGES_AND_LEGACY } from "./forms/languages-and-legacy.ts";
import { CLAIMED_LIFECYCLES_WITH_TRAPS } from "./forms/lifecycles-with-traps.ts";
import { CLAIMED_RESULTS_AND_CLAIMS } from "./forms/results-and-claims.ts";
import { CLAIMED_TYPES_OF_POSTGRES } from "./forms/types-of-postgres.ts";
import { CLAIMED_INDEXES_AND_PREFIXES } from "./indexes-and-prefixes.ts";
import { CLAIMED_ACKNOWLEDGEMENTS_AND_HOLDS } from "./kept-back/acknowledgements-and-holds.ts";
import { CLAIMED_DECISIONS_AND_CODES } from "./kept-back/decisions-and-codes.ts";
import { CLAIMED_DENIED_AND_SPENT } from "./kept-back/denied-and-spent.ts";
import { CLAIMED_FORMS_OF_MARKS } from "./kept-back/forms-of-marks.ts";
import { CLAIMED_HELD_ROWS } from "./kept-back/held-rows.ts";
import { CLAIMED_HOLDERS_AND_LISTED_WORDS } from "./kept-back/holders-and-listed-words.ts";
import { CLAIMED_HOLDS_AND_ANSWERS } from "./kept-back/holds-and-answers.ts";
import { CLAIMED_KEPT_FROM_SENDING } from "./kept-back/kept-from-sending.ts";
import { CLAIMED_NEEDS_AND_LATER_CHANGES } from "./kept-back/needs-and-later-changes.ts";
import { CLAIMED_SAID_ELSEWHERE } from "./kept-back/said-elsewhere.ts";
import { CLAIMED_BARE_LETTERS } from "./marks/bare-letters.ts";
import { CLAIMED_BESIDE_A_TIME } from "./marks/beside-a-time.ts";
import { CLAIMED_COMBINED_MARKS } from "./marks/combined-marks.ts";
import { CLAIMED_EXPLAINED_CODES } from "./marks/explained-codes.ts";
import { CLAIMED_FLAGS_IN_LANGUAGES } from "./marks/flags-in-languages.ts";
import { CLAIMED_LOOKALIKES } from "./marks/lookalikes.ts";
import { CLAIMED_PLAINER_THAN_THEY_ARE } from "./marks/plainer-than-they-are.ts";
import { CLAIMED_SENTINELS_AND_BITS } from "./marks/sentinels-and-bits.ts";
import { CLAIMED_STATUS_WORDS } from "./marks/status-words.ts";
import { CLAIMED_TURNED_FLAGS } from "./marks/turned-flags.ts";
import { CLAIMED_UNSET_FLAGS } from "./marks/unset-flags.ts";
import { CLAIMED_WORDS_AND_COMMENTS } from "./marks/words-and-comments.ts";
import { CLAIMED_WORDS_OF_STEPS } from "./marks/words-of-steps.ts";
import { CLAIMED_BANKS_AND_PLANNING } from "./teams/banks-and-planning.ts";
import { CLAIMED_BANKS_SHOPS_HOSPITALS } from "./teams/banks-shops-hospitals.ts";
import { CLAIMED_FRAMEWORKS } from "./teams/frameworks.ts";
import { CLAIMED_REPOSITORIES } from "./teams/repositories.ts";
import { CLAIMED_REPOSITORIES_IN_LANGUAGES } from "./teams/repositories-in-languages.ts";
import { CLAIMED_SCRIPTS_AND_SPELLINGS } from "./teams/scripts-and-spellings.ts";
import { CLAIMED_TEAMS } from "./teams/teams.ts";
import { CLAIMED_CLOCKS_COUNTS_HOLDS } from "./times/clocks-counts-holds.ts";
import { CLAIMED_DATES_AND_PLACEHOLDERS } from "./times/dates-and-placeholders.ts";
import { CLAIMED_DEFAULTS } from "./times/defaults.ts";
import { CLAIMED_LIMITS } from "./times/limits.ts";
import { CLAIMED_TIMES_AS_NUMBERS } from "./times/times-as-numbers.ts";
import { CLAIMED_ZERO_TIMES } from "./times/zero-times.ts";
import { CLAIMED_TWO_TABLES } from "./two-tables.ts";
import { CLAIMED_WRITTEN_AFTER_RULES } from "./written-after-rules.ts";

/**
 * Tables of one kind, and how many of each are right at least; what is not right is unknown, asked about or refused.
 */
export interface ClaimedGroup {
  by: string;
  truths: readonly ClaimedTable[];
  recognised: number;
  roles: number;
  states: number;
  writes: number;
}

export const CLAIMED_GROUPS: readonly ClaimedGroup[] = [
  { by: "teams", truths: CLAIMED_TEAMS, recognised: 18, roles: 141, states: 71, writes: 50 },
  { by: "combined marks", truths: CLAIMED_COMBINED_MARKS, recognised: 19, roles: 105, states: 63, writes: 40 },
  { by: "times as numbers", truths: CLAIMED_TIMES_AS_NUMBERS, recognised: 11, roles: 70, states: 30, writes: 30 },
  { by: "held rows", truths: CLAIMED_HELD_ROWS, recognised: 13, roles: 83, states: 45, writes: 38 },
  {
    by: "teams, written after the rules",
    truths: CLAIMED_WRITTEN_AFTER_RULES,
    recognised: 13,
    roles: 85,
    states: 42,
    writes: 29,
  },
  { by: "repositories", truths: CLAIMED_REPOSITORIES, recognised: 17, roles: 118, states: 64, writes: 39 },
  {
    by: "repositories in several languages",
    truths: CLAIMED_REPOSITORIES_IN_LANGUAGES,
    recognised: 17,
    roles: 136,
    states: 58,
    writes: 48,
  },
  {
    by: "what looks plainer than it is",
    truths: CLAIMED_PLAINER_THAN_THEY_ARE,
    recognised: 16,
    roles: 86,
    states: 45,
    writes: 28,
  },
  { by: "lookalikes", truths: CLAIMED_LOOKALIKES, recognised: 8, roles: 42, states: 23, writes: 9 },
  { by: "defaults", truths: CLAIMED_DEFAULTS, recognised: 12, roles: 72, states: 41, writes: 30 },
  {
    by: "prepared and superseded rows",
    truths: CLAIMED_PREPARED_AND_SUPERSEDED,
    recognised: 17,
    roles: 102,
    states: 67,
    writes: 36,
  },
  { by: "limits", truths: CLAIMED_LIMITS, recognised: 11, roles: 58, states: 33, writes: 14 },
  {
    by: "banks, shops and hospitals",
    truths: CLAIMED_BANKS_SHOPS_HOSPITALS,
    recognised: 18,
    roles: 86,
    states: 58,
    writes: 30,
  },
  { by: "holds and answers", truths: CLAIMED_HOLDS_AND_ANSWERS, recognised: 18, roles: 87, states: 63, writes: 33 },
  { by: "sentinels and bits", truths: CLAIMED_SENTINELS_AND_BITS, recognised: 18, roles: 84, states: 58, writes: 31 },
  {
    by: "dates and placeholders",
    truths: CLAIMED_DATES_AND_PLACEHOLDERS,
    recognised: 19,
    roles: 89,
    states: 66,
    writes: 24,
  },
  { by: "earlier errors", truths: CLAIMED_EARLIER_ERRORS, recognised: 11, roles: 56, states: 36, writes: 22 },
  { by: "frameworks", truths: CLAIMED_FRAMEWORKS, recognised: 14, roles: 79, states: 54, writes: 41 },
  {
    by: "banks and resource planning",
    truths: CLAIMED_BANKS_AND_PLANNING,
    recognised: 23,
    roles: 123,
    states: 77,
    writes: 51,
  },
  {
    by: "clocks, counts and holds",
    truths: CLAIMED_CLOCKS_COUNTS_HOLDS,
    recognised: 30,
    roles: 146,
    states: 91,
    writes: 37,
  },
  { by: "uncounted errors", truths: CLAIMED_UNCOUNTED_ERRORS, recognised: 31, roles: 162, states: 93, writes: 55 },
  { by: "explained codes", truths: CLAIMED_EXPLAINED_CODES, recognised: 29, roles: 145, states: 80, writes: 36 },
  { by: "words of a status", truths: CLAIMED_STATUS_WORDS, recognised: 25, roles: 128, states: 87, writes: 45 },
  { by: "turned flags", truths: CLAIMED_TURNED_FLAGS, recognised: 31, roles: 167, states: 93, writes: 55 },
  { by: "words and comments", truths: CLAIMED_WORDS_AND_COMMENTS, recognised: 31, roles: 160, states: 108, writes: 61 },
  {
    by: "flags in several languages",
    truths: CLAIMED_FLAGS_IN_LANGUAGES,
    recognised: 20,
    roles: 105,
    states: 64,
    writes: 47,
  },
  { by: "unset flags", truths: CLAIMED_UNSET_FLAGS, recognised: 24, roles: 132, states: 79, writes: 53 },
  { by: "two tables", truths: CLAIMED_TWO_TABLES, recognised: 2, roles: 9, states: 5, writes: 0 },
  {
    by: "results and repeats",
    truths: CLAIMED_RESULTS_AND_REPEATS,
    recognised: 13,
    roles: 68,
    states: 42,
    writes: 25,
  },
  {
    by: "what is kept from sending",
    truths: CLAIMED_KEPT_FROM_SENDING,
    recognised: 45,
    roles: 226,
    states: 135,
    writes: 76,
  },
  {
    by: "holders and listed words",
    truths: CLAIMED_HOLDERS_AND_LISTED_WORDS,
    recognised: 11,
    roles: 55,
    states: 33,
    writes: 14,
  },
  {
    by: "decisions and codes",
    truths: CLAIMED_DECISIONS_AND_CODES,
    recognised: 22,
    roles: 110,
    states: 66,
    writes: 43,
  },
  {
    by: "acknowledgements and holds",
    truths: CLAIMED_ACKNOWLEDGEMENTS_AND_HOLDS,
    recognised: 15,
    roles: 80,
    states: 56,
    writes: 28,
  },
  { by: "words of steps", truths: CLAIMED_WORDS_OF_STEPS, recognised: 13, roles: 65, states: 45, writes: 22 },
  {
    by: "needs and later changes",
    truths: CLAIMED_NEEDS_AND_LATER_CHANGES,
    recognised: 20,
    roles: 106,
    states: 67,
    writes: 41,
  },
  {
    by: "indexes and prefixes",
    truths: CLAIMED_INDEXES_AND_PREFIXES,
    recognised: 13,
    roles: 68,
    states: 44,
    writes: 27,
  },
  { by: "forms of marks", truths: CLAIMED_FORMS_OF_MARKS, recognised: 24, roles: 126, states: 95, writes: 37 },
  { by: "denied and spent", truths: CLAIMED_DENIED_AND_SPENT, recognised: 23, roles: 125, states: 85, writes: 53 },
  { by: "what is said elsewhere", truths: CLAIMED_SAID_ELSEWHERE, recognised: 17, roles: 81, states: 63, writes: 28 },
  { by: "times of zero", truths: CLAIMED_ZERO_TIMES, recognised: 26, roles: 139, states: 81, writes: 34 },
  { by: "bare letters", truths: CLAIMED_BARE_LETTERS, recognised: 7, roles: 37, states: 22, writes: 9 },
  {
    by: "types of Postgres",
    truths: CLAIMED_TYPES_OF_POSTGRES,
    recognised: 12,
    roles: 66,
    states: 30,
    writes: 16,
  },
  {
    by: "languages and old systems",
    truths: CLAIMED_LANGUAGES_AND_LEGACY,
    recognised: 11,
    roles: 79,
    states: 46,
    writes: 41,
  },
  {
    by: "lifecycles with traps",
    truths: CLAIMED_LIFECYCLES_WITH_TRAPS,
    recognised: 21,
    roles: 104,
    states: 43,
    writes: 26,
  },
  { by: "named counts", truths: CLAIMED_NAMED_COUNTS, recognised: 13, roles: 94, states: 47, writes: 40 },
  { by: "results and claims", truths: CLAIMED_RESULTS_AND_CLAIMS, recognised: 16, roles: 82, states: 41, writes: 26 },
  {
    by: "scripts and spellings",
    truths: CLAIMED_SCRIPTS_AND_SPELLINGS,
    recognised: 17,
    roles: 140,
    states: 82,
    writes: 77,
  },
  { by: "what stands beside a time", truths: CLAIMED_BESIDE_A_TIME, recognised: 5, roles: 24, states: 17, writes: 10 },
];
