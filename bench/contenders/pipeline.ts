import type { BenchRow, Publisher } from "../publishers/publisher.ts";

const IDLE_MS = 2;

interface Pipeline<Row> {
  /** The next rows after the last one read. */
  read(): Promise<Row[]>;
  toBench(row: Row): BenchRow;
  publisher: Publisher;
  mark(rows: readonly Row[]): Promise<unknown>;
}

/** Reads ahead and marks while it publishes; an error ends it. */
export function runPipeline<Row>({ read, toBench, publisher, mark }: Pipeline<Row>): { stop(): Promise<void> } {
  let stopped = false;
  const loop = async () => {
    let marking: Promise<unknown> = Promise.resolve();
    let next = read();
    while (!stopped) {
      const rows = await next;
      next = read();
      if (rows.length === 0) {
        await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
        continue;
      }
      await publisher.all(rows.map(toBench));
      await marking;
      marking = mark(rows);
    }
    await Promise.all([next, marking]);
  };
  const running = loop();
  return {
    async stop() {
      stopped = true;
      await running;
    },
  };
}
