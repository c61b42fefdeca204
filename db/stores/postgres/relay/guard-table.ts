import type { MappingFingerprint } from "#db/stores/port/mapping-fingerprint.ts";
import type { RelayStream } from "#db/stores/port/relay/relay-stream.ts";
import type { RelayTable } from "#db/stores/port/relay/relay-table.ts";
import { TableChangedError } from "#db/stores/port/table-changed-error.ts";
import { errorCode } from "#db/stores/postgres/connection/database-error.ts";
import { acceptedNow } from "../tables/mapping-holds.ts";
import type { RelayContext } from "./relay-context.ts";

/** A table, column, type or function that a statement names is not there, or not of the kind that it expects. */
const SCHEMA_ERRORS = new Set(["42P01", "42703", "3F000", "42804", "42809", "42846", "42883", "42704", "428C9"]);

interface Guarded {
  table: RelayTable;
  context: RelayContext;
  accepted: MappingFingerprint;
}

/**
 * The relay's side of a table that ends its term when the table or the accepted mapping changes: looked at as a term
 * begins, and where a statement fails over what it names. Claims, settles and renewals of the lease look in their own
 * statements.
 */
export function guardTable(guarded: Guarded): RelayTable {
  const { table, context } = guarded;
  const ended = wrapEach(table, context.outbox);
  const stream = table.stream ? { ...table.stream, ...wrapStream(table.stream, context.outbox) } : undefined;
  return {
    ...ended,
    get suspectCount() {
      return table.suspectCount;
    },
    async acquireLease(request) {
      if (!(await fits(guarded))) throw new TableChangedError(context.outbox);
      return ended.acquireLease(request);
    },
    ...(stream ? { stream } : {}),
  };
}

/** Index: primary key of mapping_fingerprint, and as mappingHoldsSql. Race: none; claims and settles look for themselves. */
async function fits({ context, accepted }: Guarded): Promise<boolean> {
  const { sql, values } = acceptedNow(accepted, context.outbox, 1);
  const { rows } = await context.sessions.single("mapping-fits", `SELECT coalesce(${sql}, false)::text`, values);
  return rows[0]?.[0] === "true";
}

type Method = (...args: never[]) => unknown;

function wrapEach(table: RelayTable, outbox: string): RelayTable {
  const wrapped: Partial<Record<keyof RelayTable, unknown>> = {};
  for (const [name, member] of Object.entries(Object.getOwnPropertyDescriptors(table))) {
    const { value } = member;
    if (typeof value === "function" && name !== "compareOrder" && name !== "listen") {
      wrapped[name as keyof RelayTable] = explained(value as Method, outbox);
    } else if (!member.get) wrapped[name as keyof RelayTable] = value;
  }
  return wrapped as unknown as RelayTable;
}

function wrapStream(stream: RelayStream, outbox: string): Pick<RelayStream, "claim" | "unsent" | "park"> {
  return {
    claim: explained(stream.claim, outbox),
    unsent: explained(stream.unsent, outbox),
    park: explained(stream.park, outbox),
  };
}

/** A retry would fail in the same way until someone changes the table or accepts it. */
function explained<Call extends Method>(call: Call, outbox: string): Call {
  const wrapped = async (...args: Parameters<Call>) => {
    try {
      return await call(...args);
    } catch (error) {
      throw isSchemaError(error) ? new TableChangedError(outbox, { cause: error }) : error;
    }
  };
  return wrapped as unknown as Call;
}

function isSchemaError(error: unknown): boolean {
  const code = errorCode(error) ?? "";
  if (SCHEMA_ERRORS.has(code)) return true;
  return code === "22P02" && error instanceof Error && error.message.includes("enum");
}
