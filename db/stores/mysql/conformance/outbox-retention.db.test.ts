import { describeInboxRetention } from "../../conformance/inbox-retention.conformance.ts";
import { describeRetention } from "../../conformance/outbox-retention.conformance.ts";
import { describeStorage } from "../../conformance/outbox-storage.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mariadb")) {
  describeRetention(server);
  describeStorage(server);
  describeInboxRetention(server);
}
