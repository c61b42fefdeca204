import type { SQLWrapper } from "drizzle-orm";
import { type OwnTables, ownTables } from "../own-schema/schema.ts";
import { dialect } from "./dialect.ts";
import type { Link, Result, ServerFacts } from "./link.ts";
import { bindValues } from "./literal.ts";
import type { Pool } from "./pool.ts";
import { type Database, queryOn } from "./query-on.ts";

export type { OwnTables } from "../own-schema/schema.ts";
export type { Result } from "./link.ts";

/** Rows as arrays of texts, null for NULL, in select order. */
export type Rows = (string | null)[][];

/** Drizzle SQL, or a query that Drizzle builds. */
type Query = SQLWrapper | { toSQL(): { sql: string; params: unknown[] } };

/** Part of a script: a query, a text without parameters, or a text with `?` for each value. */
export type Statement = Query | string | { text: string; values: readonly unknown[] };

/**
 * One connection. Every value that comes back is a text or null, as the server prints it; Drizzle's columns decode it.
 * Parameters travel as literals in the text.
 */
export interface Session {
  /** Drizzle over this connection. */
  readonly db: Database;
  /** Our own tables, where this store keeps them. */
  readonly own: OwnTables;
  readonly server: ServerFacts;
  /** The connection's number on the server, as KILL and the process list have it. */
  readonly id: number;
  /** One statement; its rows. `values` replace the `?` of a text. */
  rows(statement: Query | string, values?: readonly unknown[]): Promise<Rows>;
  /** One statement that writes. Counts the rows that its WHERE found, also those that it did not change. */
  run(statement: Query | string, values?: readonly unknown[]): Promise<Omit<Result, "rows">>;
  /** Statements in one round trip; the result of each. After one that fails none is executed. */
  script(statements: readonly Statement[]): Promise<Result[]>;
}

const sessions = new WeakMap<Link, Session>();

/** The session of a connection, cached per connection. */
export function sessionOn(link: Link, pool: Pick<Pool, "own">): Session {
  const known = sessions.get(link);
  if (known) return known;
  const made = new LinkSession(link, ownTables(pool.own));
  sessions.set(link, made);
  return made;
}

class LinkSession implements Session {
  readonly own: OwnTables;
  readonly #link: Link;
  #db: Database | null = null;

  constructor(link: Link, own: OwnTables) {
    this.#link = link;
    this.own = own;
  }

  get db(): Database {
    this.#db ??= queryOn((text) => this.#one(text));
    return this.#db;
  }

  get server(): ServerFacts {
    return this.#link.server;
  }

  get id(): number {
    return this.#link.id;
  }

  async rows(statement: Query | string, values: readonly unknown[] = []): Promise<Rows> {
    return (await this.#one(textOf(statement, values))).rows;
  }

  run(statement: Query | string, values: readonly unknown[] = []): Promise<Result> {
    return this.#one(textOf(statement, values));
  }

  async script(statements: readonly Statement[]): Promise<Result[]> {
    return statements.length === 0 ? [] : this.#link.send(scriptOf(statements));
  }

  async #one(text: string): Promise<Result> {
    const [result] = await this.#link.send(text);
    if (!result) throw new Error("The server answered nothing.");
    return result;
  }
}

/** Statements as one text. */
export function scriptOf(statements: readonly Statement[]): string {
  return statements
    .map((statement) =>
      typeof statement === "object" && "text" in statement
        ? bindValues(statement.text, statement.values)
        : textOf(statement, []),
    )
    .join(";\n");
}

function textOf(statement: Query | string, values: readonly unknown[]): string {
  if (typeof statement === "string") return bindValues(statement, values);
  const { sql: text, params } = "toSQL" in statement ? statement.toSQL() : dialect.sqlToQuery(statement.getSQL());
  return bindValues(text, params);
}
