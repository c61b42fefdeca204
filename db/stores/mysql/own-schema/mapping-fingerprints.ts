import { eq, sql } from "drizzle-orm";
import type { MappingFingerprint } from "../../port/mapping-fingerprint.ts";
import { isForbidden } from "../connection/database-error.ts";
import type { Session } from "../connection/session.ts";
import { NOW } from "../tables/column-values.ts";

interface Entry {
  outbox: string;
  fingerprint: MappingFingerprint;
  by: string;
}

/** The text that is stored. Statements compare it as it is, so its form must not change. */
export function fingerprintText(fingerprint: MappingFingerprint): string {
  return JSON.stringify(fingerprint);
}

/** Accepted mappings by outbox; empty if the user may not read them. Index: primary key. */
export async function readFingerprints({
  db,
  own: { mappingFingerprint },
}: Session): Promise<Map<string, MappingFingerprint>> {
  try {
    const rows = await db
      .select({ outbox: mappingFingerprint.outbox, fingerprint: mappingFingerprint.fingerprint })
      .from(mappingFingerprint);
    return new Map(rows.map(({ outbox, fingerprint }) => [outbox, fingerprint as MappingFingerprint]));
  } catch (error) {
    if (isForbidden(error)) return new Map();
    throw error;
  }
}

/**
 * Stores the mapping of a first start unless one is stored; returns the stored one.
 * Race: of two first starts with different mappings the first one's stays, and the other gets it back.
 */
export async function keepFirstFingerprint(session: Session, entry: Entry): Promise<MappingFingerprint> {
  const { mappingFingerprint } = session.own;
  await session.run(
    insert(session, entry).onDuplicateKeyUpdate({ set: { outbox: sql`${mappingFingerprint.outbox}` } }),
  );
  const [stored] = await session.db
    .select({ fingerprint: mappingFingerprint.fingerprint })
    .from(mappingFingerprint)
    .where(eq(mappingFingerprint.outbox, entry.outbox));
  return stored ? (stored.fingerprint as MappingFingerprint) : entry.fingerprint;
}

/** Stores an accepted mapping, replacing any earlier one. */
export async function replaceFingerprint(session: Session, entry: Entry): Promise<void> {
  const { fingerprint, by: acceptedBy } = entry;
  const changes = { fingerprint: sql`${fingerprintText(fingerprint)}`, acceptedBy, acceptedAt: NOW, tableId: null };
  await session.run(insert(session, entry).onDuplicateKeyUpdate({ set: changes }));
}

function insert({ db, own }: Session, { outbox, fingerprint, by: acceptedBy }: Entry) {
  const stored = sql`${fingerprintText(fingerprint)}`;
  return db.insert(own.mappingFingerprint).values({ outbox, fingerprint: stored, acceptedBy, acceptedAt: NOW });
}
