/** Something that publishes the table: the relay, or a reference to compare it with. */
export interface Contender {
  name: string;
  /** Publishes until `stop`; resolves when it has stopped. */
  start(input: { url: string; sinkUrl: string | null }): Promise<{ stop(): Promise<void> }>;
}
