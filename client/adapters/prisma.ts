import { type Adapter, type Dialect, OPEN, refused } from "../sql/adapter.ts";
import { mysqlText } from "../sql/mysql-text.ts";
import { isRead, numbered } from "../sql/statement.ts";

/** Methods that some version of Prisma removes from its client inside a transaction. */
type Taken = "$connect" | "$disconnect" | "$on" | "$use" | "$extends" | "$transaction";
interface PrismaRoot {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<unknown>;
  $executeRawUnsafe(text: string, ...values: unknown[]): Promise<number>;
  // biome-ignore lint/suspicious/noExplicitAny: each generated client has its own type
  $transaction(...args: any[]): Promise<any>;
}

/**
 * Prisma over Postgres, `prisma<PrismaClient>()`, or MySQL, `prisma<PrismaClient>({ dialect: "mysql" })`. `tx` is what
 * `prisma.$transaction(async (tx) => …)` hands to its callback; a list of promises is not supported, because nothing
 * could be checked between them.
 */
export function prisma<P extends PrismaRoot>({
  dialect = "postgres",
}: {
  dialect?: Dialect;
} = {}): Adapter<Omit<P, Taken>, P> {
  return {
    name: "Prisma",
    begins: "$transaction",
    dialect,
    run: async (handle, statement) => {
      const client = handle as unknown as PrismaRoot;
      if (dialect === "mysql" && !isRead(statement)) {
        await client.$executeRawUnsafe(mysqlText(statement));
        return { rows: [] };
      }
      const rows = await (dialect === "mysql"
        ? client.$queryRawUnsafe(mysqlText(statement))
        : client.$queryRawUnsafe(numbered(statement), ...statement.values));
      return { rows: Array.isArray(rows) ? (rows as Record<string, unknown>[]) : [] };
    },
    stateOf: (handle) => {
      // Inside a transaction Prisma removes methods such as $connect from the client, and leaves the queries.
      const { $queryRawUnsafe, $connect } = (handle ?? {}) as Record<string, unknown>;
      return typeof $queryRawUnsafe === "function" && $connect === undefined
        ? OPEN
        : refused(
            "This is not a transaction of Prisma; it may be the client itself. Pass the tx of prisma.$transaction(async (tx) => …).",
          );
    },
    transaction: (db, work) => db.$transaction((tx: Omit<P, Taken>) => work(tx)),
  };
}
