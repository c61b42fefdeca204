import { ClientError, type ClientErrorCode } from "../errors.ts";
import type { Adapter } from "./adapter.ts";
import type { Column } from "./columns.ts";
import { causesOf, type DatabaseError } from "./database-errors.ts";

/** The table and its user, for the sentences. */
export interface TableUse {
  table: string;
  columns: Readonly<Record<string, Column>>;
  /** What the developer called. */
  by: "createOutbox" | "createInbox";
  schema: "outbox.schema()" | "inbox.schema()";
  grants: string;
}

interface Refusal {
  code: ClientErrorCode;
  /**
   * What the database's words must name for the sentence to be true. A trigger of the table gives the same codes for
   * another table.
   */
  names: "the table" | "a column" | "nothing";
  sentence(use: TableUse, via: { name: string; dialect: string }): string;
}

/**
 * An adapter whose `run` refuses with a sentence that says what to do, where the database says only what is wrong, and
 * libraries such as Drizzle and Knex put the statement with its values before that or in its place.
 */
export function withTableErrors<Tx, Db>(via: Adapter<Tx, Db>, use: TableUse): Adapter<Tx, Db> {
  const refused = (error: unknown) => explained(error, via, use) ?? error;
  return {
    name: via.name,
    dialect: via.dialect,
    ...(via.begins === undefined ? {} : { begins: via.begins }),
    ...(via.isAmbient === undefined ? {} : { isAmbient: via.isAmbient }),
    stateOf: (handle) => via.stateOf(handle),
    transaction: (db, work) => via.transaction(db, work),
    ...(via.savepoint === undefined ? {} : { savepoint: savepointOf(via.savepoint.bind(via), refused) }),
    run: async (handle, statement) => {
      try {
        return await via.run(handle, statement);
      } catch (error) {
        throw refused(error);
      }
    },
  };
}

/** Errors of the work are its own, also where they have a code that is explained here. */
function savepointOf<Tx, Db>(
  savepoint: NonNullable<Adapter<Tx, Db>["savepoint"]>,
  refused: (error: unknown) => unknown,
): NonNullable<Adapter<Tx, Db>["savepoint"]> {
  return async (tx, work) => {
    let begun = false;
    try {
      return await savepoint(tx, (inner) => {
        begun = true;
        return work(inner);
      });
    } catch (error) {
      throw begun ? error : refused(error);
    }
  };
}

const MISSING: Refusal = {
  code: "unusable_table",
  names: "the table",
  sentence: ({ table, schema }) =>
    `There is no table ${table} where this connection looks: create it with the SQL that ${schema} prints, or name yours in the option table, in the letters of the database and with its schema if it has another.`,
};
const OTHER_COLUMNS: Refusal = {
  code: "unusable_table",
  names: "a column",
  sentence: ({ table, by }) =>
    `${table} lacks a column that ${by} uses: name its columns in the option columns, by role.`,
};
const TYPED = {
  createOutbox:
    'such as id: { name: "id", type: "generated" } for an id that the database makes, or status: { name: "status", type: "enum" } for an enumerated type',
  createInbox: 'such as messageId: { name: "id", type: "uuid" }, or processedAt: { name: "done_at", type: "epoch-ms" }',
};
const OTHER_TYPE: Refusal = {
  code: "unusable_table",
  names: "a column",
  sentence: ({ table, by }) =>
    `A column of ${table} has another type than ${by} writes: name it in the option columns, ${TYPED[by]}.`,
};
const NO_VALUE: Refusal = {
  code: "unusable_table",
  names: "nothing",
  sentence: ({ by }) => {
    const what = `A column needs a value that ${by} did not write: give the column a default, or map it in the option columns.`;
    return by === "createInbox" ? what : `${what} If it is mapped, give the event its value, such as a key or a topic.`;
  },
};
/** MySQL does not notice it: `ON DUPLICATE KEY` then always inserts. */
export function lacksKey({ table, columns }: Pick<TableUse, "table" | "columns">): string {
  const { consumer, messageId, id } = columns;
  const names = [...(messageId ? [consumer, messageId] : [id])].flatMap((column) => column?.name ?? []);
  const otherwise = messageId ? "" : ", or leave the option id out";
  return `${table} has no unique key over ${names.join(", ")}, by which a repeat is recognised: add one${otherwise}.`;
}

const NO_KEY: Refusal = { code: "unusable_table", names: "nothing", sentence: lacksKey };
const TOO_LONG: Refusal = {
  code: "unusable_table",
  names: "nothing",
  sentence: ({ table }) =>
    `A value is longer than its column of ${table} takes: make the column longer, or the value shorter.`,
};
const NO_SUCH_WORD: Refusal = {
  code: "unusable_table",
  names: "nothing",
  sentence: ({ table, by }) =>
    `A column of ${table} does not take what ${by} writes. Name its type in the option columns, ${TYPED[by]}; or change the column: an enum may lack the word, a character set the character.`,
};
const NO_GRANT: Refusal = {
  code: "unusable_table",
  names: "the table",
  sentence: ({ table, grants }) => `This database user may not use ${table}: grant it ${grants}.`,
};
const POLICY: Refusal = {
  code: "unusable_table",
  names: "the table",
  sentence: ({ table, grants }) =>
    `Row level security keeps this database user from this row of ${table}: add policies that admit it, for ${grants}.`,
};
const SAYS_POLICY = /\brow-level security\b/;
const READ_ONLY: Refusal = {
  code: "invalid_input",
  names: "nothing",
  sentence: ({ table }) => `This transaction is read-only: begin one that may write to ${table}.`,
};
const FAILED_BEFORE: Refusal = {
  code: "not_in_transaction",
  names: "nothing",
  sentence: () =>
    "An earlier statement of this transaction has failed, and its error was ignored: roll it back and begin another.",
};
const ENDED: Refusal = {
  code: "not_in_transaction",
  names: "nothing",
  sentence: (_, { name }) =>
    `The transaction of this ${name} handle has ended, so nothing was written: await every call in it, and keep it within the time that ${name} gives it.`,
};
/** Words of Kysely, of Knex, and of Sequelize. MikroORM uses one of the former. */
const SAYS_ENDED =
  /^Transaction is already (?:committed|rolled back)$|^Transaction query already complete\b|^(?:commit|rollback) has been called on this transaction\(/;
const OTHER_DIALECT: Refusal = {
  code: "invalid_input",
  names: "nothing",
  sentence: (_, { name, dialect }) =>
    dialect === "mysql"
      ? `The adapter of ${name} wrote SQL for MySQL, which this database does not understand: over Postgres leave its option dialect out.`
      : `The adapter of ${name} wrote SQL for Postgres, which this database does not understand: over MySQL and MariaDB give the adapter { dialect: "mysql" }.`,
};

/** By codes of Postgres and numbers of MySQL. */
const REFUSALS = new Map<unknown, Refusal>([
  ...["42P01", "3F000", 1146, 1049].map((code) => [code, MISSING] as const),
  ...["42703", 1054].map((code) => [code, OTHER_COLUMNS] as const),
  ["42804", OTHER_TYPE],
  ...["23502", 1364, 1048].map((code) => [code, NO_VALUE] as const),
  ["42P10", NO_KEY],
  ...["22001", 1406].map((code) => [code, TOO_LONG] as const),
  // 1264: MySQL reads an id such as 4e887799-… as a number, 4e887799.
  ...["22P02", 1264, 1265, 1366].map((code) => [code, NO_SUCH_WORD] as const),
  ...["42501", 1142, 1143].map((code) => [code, NO_GRANT] as const),
  ...["25006", 1792].map((code) => [code, READ_ONLY] as const),
  ["25P02", FAILED_BEFORE],
  // Prisma's.
  ["P2028", ENDED],
  ...["42601", 1064].map((code) => [code, OTHER_DIALECT] as const),
]);

function refusalOf({ code, errno }: DatabaseError, said: string): Refusal | undefined {
  const refusal = REFUSALS.get(code) ?? REFUSALS.get(errno) ?? (SAYS_ENDED.test(said) ? ENDED : undefined);
  return refusal === NO_GRANT && SAYS_POLICY.test(said) ? POLICY : refusal;
}

function explained<Tx, Db>(error: unknown, via: Adapter<Tx, Db>, use: TableUse): ClientError | null {
  for (const cause of causesOf(error)) {
    const said = saidBy(cause);
    const refusal = refusalOf(cause, said);
    if (!refusal || !namesOf(refusal, use).some((name) => said.includes(name))) continue;
    const speaker = refusal === ENDED ? via.name : "The database";
    return new ClientError(refusal.code, `${refusal.sentence(use, via)} ${speaker} says: ${said}`, { cause: error });
  }
  return null;
}

function namesOf({ names }: Refusal, { table, columns }: TableUse): string[] {
  if (names === "the table") return table.split(".");
  return names === "a column" ? Object.values(columns).map(({ name }) => name) : [""];
}

/** The database's words, without the statement that Knex puts before them with " - ". */
function saidBy({ sqlMessage, message }: DatabaseError): string {
  const text = String(sqlMessage ?? message ?? "");
  return text.split(" - ").at(-1) ?? "";
}
