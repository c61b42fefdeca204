import { describeStoreRecords } from "../../conformance/store-records.conformance.ts";
import { describeRelayRecords } from "../../conformance/store-records-relays.conformance.ts";
import { mariadbUnderTest, mysqlUnderTest } from "./mysql-under-test.fixture.ts";

for (const engine of [mysqlUnderTest, mariadbUnderTest]) {
  describeStoreRecords(engine);
  describeRelayRecords(engine);
}
