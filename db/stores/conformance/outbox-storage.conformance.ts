import { expect, test } from "vitest";
import { type OperatorDesk, openDesk } from "./operator-desk.fixture.ts";
import { byName, type StoreUnderTest } from "./store-under-test.fixture.ts";

/** Requirements of every engine for storage: each figure or that there is none, and never the content of a row. */
export function describeStorage(engine: StoreUnderTest): void {
  test(`storage of ${engine.kind}: sizes and indexes of the table, and what it cannot say`, async () => {
    const desk: OperatorDesk = await openDesk(engine, byName("timestamp"));
    await desk.table.insert([{}, {}, {}]);
    const reading = await desk.outbox.storage.read();
    expect(reading.size.tableBytes).toBeGreaterThanOrEqual(0);
    expect(reading.size.totalBytes).toBeGreaterThanOrEqual(reading.size.tableBytes ?? 0);
    for (const index of reading.indexes)
      expect(index).toMatchObject({ name: expect.stringMatching(/./), isValid: true });
    // A store without dead rows says so in words.
    expect(reading.size.deadRows !== null || reading.unsaid.length > 0).toBe(true);
    expect(reading.partitions).toBe(null);
    expect(desk.outbox.retention === null).toBe(desk.store.capabilities.retention !== true);
    await desk.close();
  });
}
