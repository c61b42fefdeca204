import { ListTablesCommand } from "@aws-sdk/client-dynamodb";
import type { DatabaseUse, DoctorFinding } from "../../port/doctor.ts";
import { addressOf } from "../connection/dynamodb-url.ts";
import { Link } from "../connection/link.ts";
import { isUnanswered, nameOf } from "../connection/to-store-error.ts";

/** Checks that DynamoDB answers. Whether it accepts writes depends on the permissions of each table. */
export async function checkDatabases(uses: readonly DatabaseUse[]): Promise<DoctorFinding[]> {
  // Reads and writes have the same address here.
  const once = uses.filter(({ name, url }, at) => uses.findIndex((one) => one.name === name && one.url === url) === at);
  return Promise.all(once.map(checkOne));
}

async function checkOne({ name, url }: DatabaseUse): Promise<DoctorFinding> {
  const link = new Link({ name, url, applicationName: "outbox-console doctor" });
  const at = addressOf(url);
  try {
    await link.client.send(new ListTablesCommand({ Limit: 1 }));
    return { level: "ok", text: `${name}: DynamoDB answers at ${at}` };
  } catch (error) {
    if (nameOf(error) === "CredentialsProviderError")
      return {
        level: "bad",
        text: `${name}: no AWS credentials were found`,
        fix: "Set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run where a role is attached.",
      };
    // Only this check needs the permission to list tables, so a refusal counts as an answer.
    if (!isUnanswered(error)) return { level: "ok", text: `${name}: DynamoDB answers at ${at}` };
    return { level: "bad", text: `${name}: DynamoDB does not answer at ${at}`, fix: "Check region and endpoint." };
  } finally {
    link.close();
  }
}
