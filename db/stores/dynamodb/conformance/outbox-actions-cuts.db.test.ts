import { describeCutActions } from "../../conformance/outbox-actions-cuts.conformance.ts";
import { dynamodbUnderTest } from "./dynamodb-under-test.fixture.ts";

describeCutActions(dynamodbUnderTest);
