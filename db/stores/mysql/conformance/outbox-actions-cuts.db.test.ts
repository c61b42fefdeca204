import { describeCutActions } from "../../conformance/outbox-actions-cuts.conformance.ts";
import { SERVERS_UNDER_FAULTS } from "./mysql-under-test.fixture.ts";

for (const server of SERVERS_UNDER_FAULTS) describeCutActions(server);
