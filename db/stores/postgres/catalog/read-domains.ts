import type { Pool, PoolClient } from "pg";
import { wordsOfCheck } from "./check-words.ts";

/** A domain with its base type. */
export interface Domain {
  typeOid: number;
  /** As `format_type` prints it. */
  base: string;
  notNull: boolean;
  /** Default as SQL. */
  fallback: string | null;
  /** Of an enum, or of the domain's checks; null where any value is allowed. */
  words: string[] | null;
  isEnum: boolean;
}

/** Domains of the database, each through other domains to its base, with the nearest default and every check. */
const DOMAINS_SQL = `
WITH RECURSIVE made AS (
  SELECT oid AS domain, oid, typtype, typbasetype, typtypmod, typnotnull, typdefault, -1 AS modifier, 0 AS depth FROM pg_type
  WHERE typtype = 'd' AND typnamespace <> 'information_schema'::regnamespace
  UNION ALL SELECT m.domain, t.oid, t.typtype, t.typbasetype, t.typtypmod, t.typnotnull, t.typdefault, m.typtypmod, m.depth + 1
  FROM made m JOIN pg_type t ON t.oid = m.typbasetype WHERE m.typtype = 'd'
)
SELECT domain::bigint::float8 AS "typeOid",
  (SELECT format_type(oid, modifier) FROM made b WHERE b.domain = m.domain ORDER BY depth DESC LIMIT 1) AS base,
  bool_or(typtype = 'd' AND typnotnull) AS "notNull",
  (array_agg(typdefault ORDER BY depth) FILTER (WHERE typtype = 'd' AND typdefault IS NOT NULL))[1] AS fallback,
  (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = ANY (array_agg(m.oid))) AS enumerated,
  (SELECT json_agg(pg_get_constraintdef(k.oid)) FROM pg_constraint k WHERE k.contype = 'c' AND k.contypid = ANY (array_agg(m.oid))) AS checks
FROM made m GROUP BY domain`;

type DomainRow = Omit<Domain, "words" | "isEnum"> & { enumerated: string[] | null; checks: string[] | null };

export async function readDomains(db: Pick<Pool | PoolClient, "query">): Promise<ReadonlyMap<number, Domain>> {
  const { rows } = await db.query<DomainRow>(DOMAINS_SQL);
  const domains = rows.map(({ enumerated, checks, ...domain }) => ({
    ...domain,
    isEnum: enumerated !== null,
    words: (checks ?? []).flatMap(wordsOfCheck)[0]?.words ?? enumerated,
  }));
  return new Map(domains.map((domain) => [domain.typeOid, domain]));
}
