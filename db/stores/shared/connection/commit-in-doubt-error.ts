/** The commit was sent and no answer came: the transaction may or may not have committed. */
export class CommitInDoubtError extends Error {
  override readonly name = "CommitInDoubtError";

  constructor(cause: unknown, message = "The connection was lost while a transaction was being committed.") {
    super(message, { cause });
  }
}
