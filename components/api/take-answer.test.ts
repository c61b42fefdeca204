import { QueryObserver, queryOptions } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createQueryClient } from "./query-client.ts";
import { takeAnswer } from "./take-answer.ts";

const client = createQueryClient();
const readings: ((tokens: string[]) => void)[] = [];
const tokensQuery = queryOptions({
  queryKey: ["tokens of a test"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal: _ }) => new Promise<string[]>((resolve) => readings.push(resolve)),
});

test.each(["the first reading", "a later one"])(
  "what %s finds does not replace the answer of a command",
  async (which) => {
    const observer = new QueryObserver(client, tokensQuery);
    const end = observer.subscribe(() => undefined);
    if (which !== "the first reading") {
      readings.shift()?.(["valid"]);
      await expect.poll(() => observer.getCurrentResult().data).toEqual(["valid"]);
      void observer.refetch();
    }
    takeAnswer(client, tokensQuery.queryKey, ["revoked"]);
    readings.shift()?.(["valid"]);
    await expect.poll(() => observer.getCurrentResult().fetchStatus).toBe("idle");
    expect(observer.getCurrentResult()).toMatchObject({ status: "success", data: ["revoked"] });
    end();
    client.clear();
  },
);
