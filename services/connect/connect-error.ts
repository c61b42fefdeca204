/** Why Kafka Connect did not do what it was asked; `message` is a sentence. */
export class ConnectError extends Error {
  override readonly name = "ConnectError";
  /** `absent`: Connect has no such connector or task. `busy`: it is rebalancing or starting. */
  readonly kind: "unreachable" | "refused" | "absent" | "busy" | "strange";

  constructor(kind: ConnectError["kind"], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
