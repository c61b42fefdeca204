import { describeOutboxLists } from "../../conformance/outbox-reader-lists.conformance.ts";
import { serversFor } from "./mysql-under-test.fixture.ts";

for (const server of serversFor("mariadb")) describeOutboxLists(server);
