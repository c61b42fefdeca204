import { describeStoreRecords } from "../../conformance/store-records.conformance.ts";
import { describeRelayRecords } from "../../conformance/store-records-relays.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const engine of serversFor("mariadb")) {
  describeStoreRecords(engine);
  describeRelayRecords(engine);
}
