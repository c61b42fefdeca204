import { randomUUID } from "node:crypto";
import {
  DescribeTableCommand,
  DynamoDBClient,
  type GetItemCommandOutput,
  type TableDescription,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import type { StoreOptions } from "../../port/store.ts";
import { CommitInDoubtError } from "../../shared/connection/commit-in-doubt-error.ts";
import { placeOfUrl } from "./dynamodb-url.ts";
import { ReadBudget } from "./read-budget.ts";
import { ServerClock } from "./server-clock.ts";
import { isUnanswered } from "./to-store-error.ts";

const CONNECT_WITHIN_MS = 1_500;
const ANSWER_WITHIN_MS = 3_000;
const SOCKETS = 16;
const DEFAULT_UNITS_PER_MINUTE = 3_000;

type Cost = Pick<GetItemCommandOutput, "ConsumedCapacity">;

/** One client of DynamoDB, with the budget of its reads of the team's tables. */
export class Link {
  readonly client: DynamoDBClient;
  readonly budget: ReadBudget;
  readonly #of: string;
  readonly clock = new ServerClock();

  constructor(options: Pick<StoreOptions, "name" | "url" | "applicationName" | "readUnitsPerMinute">) {
    const { region, endpoint } = placeOfUrl(options.url);
    this.#of = `store ${options.name}`;
    this.budget = new ReadBudget(options.readUnitsPerMinute ?? DEFAULT_UNITS_PER_MINUTE);
    this.client = new DynamoDBClient({
      region,
      ...(endpoint === null ? {} : { endpoint }),
      // One retry: callers have a limit of a few seconds.
      maxAttempts: 2,
      customUserAgent: options.applicationName.replace(/\s+/g, "-"),
      requestHandler: {
        connectionTimeout: CONNECT_WITHIN_MS,
        requestTimeout: ANSWER_WITHIN_MS,
        throwOnRequestTimeout: true,
        httpAgent: { maxSockets: SOCKETS, keepAlive: true },
        httpsAgent: { maxSockets: SOCKETS, keepAlive: true },
      },
    });
    this.#watchClock();
  }

  /** Keeps the server's time of every answer. */
  #watchClock(): void {
    this.client.middlewareStack.add(
      (next) => async (request) => {
        const askedAtMs = performance.now();
        const answer = await next(request);
        const { headers = {} } = answer.response as { headers?: Record<string, string> };
        this.clock.note(headers.date, askedAtMs);
        return answer;
      },
      { step: "deserialize", priority: "low", name: "watchClock" },
    );
  }

  /** Throws unavailable when the reads of the team's tables have used up their units. */
  requireBudget(): void {
    this.budget.require(this.#of);
  }

  /**
   * A read of one of the team's tables. `send` asks for `ReturnConsumedCapacity: "TOTAL"`. Throws unavailable over
   * budget.
   */
  async read<Output extends Cost>(
    send: (client: DynamoDBClient) => Promise<Output>,
  ): Promise<Output & { units: number }> {
    this.requireBudget();
    const output = await send(this.client);
    const units = output.ConsumedCapacity?.CapacityUnits ?? 0;
    this.budget.take(units);
    return { ...output, units };
  }

  /** Null if there is no such table. */
  async describe(table: string): Promise<TableDescription | null> {
    try {
      return (await this.client.send(new DescribeTableCommand({ TableName: table }))).Table ?? null;
    } catch (error) {
      if (error instanceof Error && error.name === "ResourceNotFoundException") return null;
      throw error;
    }
  }

  /**
   * All of the writes or none. The token lets DynamoDB recognise the repetition of a request whose answer was lost.
   * Throws CommitInDoubtError if every answer was; TransactionCanceledException if a condition does not hold.
   */
  async transact(writes: TransactWriteItem[]): Promise<void> {
    const command = new TransactWriteItemsCommand({ TransactItems: writes, ClientRequestToken: randomUUID() });
    try {
      await this.client.send(command);
    } catch (error) {
      if (!isUnanswered(error) || (error as Error).name === "CredentialsProviderError") throw error;
      throw new CommitInDoubtError(error, "The answer to a transaction was lost.");
    }
  }

  close(): void {
    this.client.destroy();
  }
}
