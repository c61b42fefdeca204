export type SqlValue = string | number | null;

/** One SQL statement: `parts` has one element more than `values`, and each value stands between two parts. */
export interface Statement {
  readonly parts: readonly string[];
  readonly values: readonly SqlValue[];
}

/** Text that stands in a statement as it is: names that were quoted, keywords. Never made of a caller's data. */
export interface RawSql {
  readonly raw: string;
}

export const raw = (text: string): RawSql => ({ raw: text });

type Piece = SqlValue | RawSql | Statement;

/** A template whose values become parameters; statements and raw text are inserted. */
export function sql(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Statement {
  const builder = new Builder();
  strings.forEach((string, index) => {
    builder.text(string);
    const piece = pieces[index];
    if (piece !== undefined) builder.piece(piece);
  });
  return builder;
}

export function join(statements: readonly Statement[], separator: string): Statement {
  const builder = new Builder();
  statements.forEach((statement, index) => {
    if (index > 0) builder.text(separator);
    builder.piece(statement);
  });
  return builder;
}

class Builder implements Statement {
  readonly parts: string[] = [""];
  readonly values: SqlValue[] = [];

  text(part: string): void {
    this.parts[this.parts.length - 1] += part;
  }

  piece(piece: Piece): void {
    if (piece === null || typeof piece !== "object") this.value(piece);
    else if ("raw" in piece) this.text(piece.raw);
    else {
      piece.parts.forEach((part, index) => {
        this.text(part);
        if (index < piece.values.length) this.value(piece.values[index] ?? null);
      });
    }
  }

  value(value: SqlValue): void {
    this.values.push(value);
    this.parts.push("");
  }
}

/** Parameters as `$1`, `$2`. */
export function numbered({ parts }: Statement): string {
  return parts.reduce((all, part, index) => `${all}$${index}${part}`);
}

/** Parameters as `?`. */
export function questioned({ parts }: Statement): string {
  return parts.join("?");
}

/** True for a statement that answers with rows and changes none. */
export function isRead({ parts }: Statement): boolean {
  return /^\s*SELECT\b/i.test(parts[0] ?? "");
}
