import { quoteText } from "./literal.ts";

/** `user@host`, as CURRENT_USER() says it, as GRANT takes it. */
export function quoteAccount(account: string): string {
  const at = account.lastIndexOf("@");
  return at < 0
    ? `${quoteText(account)}@'%'`
    : `${quoteText(account.slice(0, at))}@${quoteText(account.slice(at + 1))}`;
}

/** Privileges that a user needs on the database of our own tables, to create them and to use them. */
export function databaseGrantSql(database: string, account: string): string {
  // In the name of a database that GRANT takes, _ and % stand for other characters.
  const pattern = database.replace(/[_%\\]/g, "\\$&").replaceAll("`", "``");
  return `GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, INDEX, DROP, REFERENCES ON \`${pattern}\`.* TO ${quoteAccount(account)};`;
}
