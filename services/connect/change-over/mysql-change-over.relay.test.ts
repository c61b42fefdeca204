import type mysql from "mysql2/promise";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openReplaySink } from "#relay/replay/open-replay-sink.ts";
import type { OpenReplaySink } from "#services/operations/bulk/replay/replay-sink.ts";
import { waitFor } from "#tests/wait-for.ts";
import { PAUSE_REASON } from "./change-over.ts";
import { type ChangedOutbox, insertOf, openChangedOutbox } from "./changed-outbox.fixture.ts";
import { offsetAtEnd, offsetWithin } from "./offsets.fixture.ts";

describe.each(["mysql", "mariadb"] as const)("on %s", (flavor) => {
  let box: ChangedOutbox;
  beforeEach(async () => {
    box = await openChangedOutbox(flavor);
  });
  afterEach(() => box.close());
  /** `test` for what only one of them has; not collected on the other. */
  const testOn = (only: typeof flavor) => (only === flavor ? test : () => undefined);

  test("there and back: an open transaction is the connector's, and what it did not publish is the relay's again", async () => {
    await box.startRelay();
    await box.write("a1", "a2");
    await waitFor(() => box.delivered().length === 2, { message: "the relay publishes" });
    const open: mysql.Connection = await box.database.connect();
    await open.query("BEGIN");
    await open.query(insertOf(["b1"]));
    await box.fromRelay();
    expect([await box.paused(), await box.unsent(), await box.records()]).toEqual([
      PAUSE_REASON,
      [],
      ["debezium_orders"],
    ]);
    const { partition, offset } = box.handed();
    expect(partition).toEqual({ server: "orders-connector" });
    await open.query("COMMIT");
    await box.write("c1");

    box.store(offset ?? {});
    await box.toRelay();
    expect([await box.paused(), await box.unsent(), await box.records()]).toEqual([undefined, ["b1", "c1"], []]);
    expect(box.connect.acts).toEqual(["PUT /connectors/orders-connector/stop"]);
    await box.startRelay();
    await waitFor(async () => (await box.unsent()).length === 0, { message: "the relay publishes the rest" });
    expect(box.delivered()).toEqual(["a1", "a2", "b1", "c1"]);
  });

  /** Two transactions; the connector has sent `rows` rows of the first one's second statement. */
  async function stopWithin(rows: number, { quotes = false, xa = false } = {}) {
    await box.fromRelay();
    const { offset } = box.handed();
    const connection = await box.database.connect();
    const id = `'${box.database.name}'`;
    const statements = [["x0"], ["x1", "x2", "x3"]].map(insertOf).join("; ");
    await connection.query(
      xa
        ? `XA START ${id}; ${statements}; XA END ${id}; XA PREPARE ${id}; XA COMMIT ${id}`
        : `BEGIN; ${statements}; COMMIT`,
    );
    await box.write("y0");
    return offsetWithin({ ...box, flavor }, { offset: offset ?? {}, rows, quotes });
  }

  test("a place within a transaction divides it by its events and rows", async () => {
    box.store(await stopWithin(2));
    await box.toRelay();
    expect(await box.unsent()).toEqual(["x3", "y0"]);
    expect(box.said()).toContain("2 messages come after the position: the relay publishes them.");
  });

  testOn("mysql")("so does a place that is found by file", async () => {
    const { gtids: _, ...place } = await stopWithin(2);
    box.store(place);
    await box.toRelay();
    expect(await box.unsent()).toEqual(["x3", "y0"]);
  });

  testOn("mariadb")("so does a place that counts the statements, where the connector reads them", async () => {
    Object.assign(box.connect.connector?.config ?? {}, { "include.query": "true" });
    box.store(await stopWithin(2, { quotes: true }));
    await box.toRelay();
    expect(await box.unsent()).toEqual(["x3", "y0"]);
  });

  testOn("mariadb")("so does a place within an XA transaction", async () => {
    box.store(await stopWithin(2, { xa: true }));
    await box.toRelay();
    expect(await box.unsent()).toEqual(["x3", "y0"]);
  });

  testOn("mariadb")("a place in a transaction that its own set calls finished is refused", async () => {
    const place = await stopWithin(2);
    const [now] = await box.database.query("SELECT @@gtid_binlog_pos AS gtids");
    box.store({ ...place, gtids: now?.gtids });
    await expect(box.toRelay()).rejects.toThrow(/lies within a transaction that does not follow those/);
    expect(await box.unsent()).toEqual(["x0", "x1", "x2", "x3", "y0"]);
  });

  test("a relay that starts after the way back does not take what was marked then for another relay's", async () => {
    await box.write("a1");
    box.store(await offsetAtEnd({ ...box, flavor }));
    await box.toRelay();
    expect(await box.unsent()).toEqual([]);
    await box.startRelay();
    const begun = async () =>
      (await box.database.query(`SELECT state FROM ${box.database.own.database}.relay_instance`)).find(
        ({ state }) => state === "owner" || state === "holding",
      );
    expect(await waitFor(begun, { message: "the relay has begun" })).toEqual({ state: "owner" });
  });

  test("a connector that has failed is stopped like any other: what lies behind its offset is the relay's", async () => {
    await box.fromRelay();
    box.store(box.handed().offset ?? {});
    await box.write("a1");
    const tasks = [{ id: 0, state: "FAILED", trace: "org.apache.kafka.connect.errors.ConnectException" }];
    Object.assign(box.connect.connector ?? {}, { state: "RUNNING", tasks });
    await box.toRelay();
    expect([box.connect.acts, await box.unsent()]).toEqual([["PUT /connectors/orders-connector/stop"], ["a1"]]);
  });

  test("a run that dies before its mark leaves no record; the next one repeats what was being sent", async () => {
    await box.write("a1", "a2");
    const dying: OpenReplaySink = async (asked) => {
      const sink = await openReplaySink(asked);
      const publish = async (...sent: Parameters<typeof sink.publish>) => {
        await sink.publish(...sent);
        throw new Error("killed");
      };
      return { ...sink, publish };
    };
    await expect(box.fromRelay({ openSink: dying })).rejects.toThrow("killed");
    expect([await box.records(), await box.paused()]).toEqual([[], PAUSE_REASON]);
    await box.fromRelay();
    const first = box.handed();
    expect(box.delivered()).toEqual(["a1", "a1", "a2", "a2"]);
    await box.fromRelay();
    expect(box.handed()).toEqual(first);
    expect(box.delivered()).toHaveLength(4);
  });

  test("a database that does not keep the mark is named, and no record is left", async () => {
    await box.write("a1");
    await box.database.query(
      "CREATE TRIGGER keeps BEFORE UPDATE ON outbox_events FOR EACH ROW SET NEW.published_at = OLD.published_at",
    );
    await expect(box.fromRelay()).rejects.toThrow("a trigger keeps it");
    expect(await box.records()).toEqual([]);
  });

  test("without --yes the steps are said and nothing is done", async () => {
    await box.write("a1");
    await box.fromRelay({ act: false });
    expect(box.said()).toMatch(/1\. Pause outbox orders.*Record the position as debezium_orders.*Nothing was done/s);
    expect([await box.records(), await box.paused(), box.delivered()]).toEqual([[], undefined, []]);
  });

  test("what it does not understand it leaves alone", async () => {
    const { connector } = box.connect;
    const refused = (sentence: RegExp) => expect(box.toRelay()).rejects.toThrow(sentence);
    await box.fromRelay();
    await box.database.query(`DELETE FROM ${box.database.own.database}.pause`);
    await expect(box.fromRelay()).rejects.toThrow(
      /^A position is recorded as debezium_orders, and outbox orders is not paused: what its relay publishes now, a connector that begins there publishes too\./,
    );
    await refused(/^Connect has stored no offset\. Nothing else says how far the connector came\./);
    const unknown = { mysql: "11111111-1111-1111-1111-111111111111:1-5", mariadb: "77-2-5" };
    box.store({ file: "binlog.000001", pos: 4, gtids: unknown[flavor] });
    await refused(/transactions \(GTID\) that this server does not have/);
    box.store({ file: "binlog.999999", pos: 4 });
    await refused(flavor === "mysql" ? /The server does not send its binary log/ : /names no transactions \(GTID\)/);
    Object.assign(connector?.config ?? {}, { "table.include.list": `${box.database.name}.outbox_events,shop.orders` });
    await refused(/also publishes shop\.orders, which would stop too/);
    const [other, product] = flavor === "mysql" ? ["mariadb.MariaDb", "MySQL"] : ["mysql.MySql", "MariaDB"];
    Object.assign(connector?.config ?? {}, { "connector.class": `io.debezium.connector.${other}Connector` });
    await refused(new RegExp(`^Connector orders-connector is not Debezium's connector for ${product}\\.$`));
    box.connect.connector = null;
    await refused(/^Kafka Connect at \S+ has no connector named orders-connector\.$/);
  });

  test("an XA transaction that is prepared holds up the place until it has ended", async () => {
    const open = await box.database.connect();
    const [xid] = [`'${box.database.name}'`];
    await open.query(`XA START ${xid}; ${insertOf(["a1"])}; XA END ${xid}; XA PREPARE ${xid}`);
    const change = box.fromRelay();
    await waitFor(async () => (await box.paused()) === PAUSE_REASON, { message: "the command has begun" });
    await open.query(`XA COMMIT ${xid}`);
    await change;
    expect([box.delivered(), await box.unsent()]).toEqual([["a1"], []]);
  });
});
