import { QueryObserver } from "@tanstack/react-query";
import { expect, test, vi } from "vitest";
import { ApiError } from "#components/api/api-error.ts";
import { asInBrowser } from "#components/api/as-in-browser.fixture.ts";
import { messageQuery } from "#components/api/message-queries.ts";
import { createQueryClient } from "#components/api/query-client.ts";
import { sampleMessage } from "#components/messages/table/sample-message.fixture.ts";
import type { MessageDetail } from "#contracts/message/messages.ts";
import type { MessageState } from "#domain/message/message-state.ts";
import { outcomeQuery } from "./use-outcome-watch.ts";

asInBrowser();

const inState = (state: MessageState) => ({ message: sampleMessage({ id: "1", state }) }) as MessageDetail;

test("a retried message is followed to its outcome, though the first readings fail", async () => {
  const client = createQueryClient();
  client.setQueryData(messageQuery("orders", "1").queryKey, inState("dead"));
  const read = vi.fn(
    (): Promise<MessageDetail> => Promise.reject(new ApiError({ status: 503, code: "", message: "" })),
  );
  const observer = new QueryObserver(client, { ...outcomeQuery("orders", "1", "operation"), queryFn: read });
  const end = observer.subscribe(() => undefined);
  const stateNow = () => observer.getCurrentResult().data?.message.state;

  await vi.advanceTimersByTimeAsync(5_000);
  expect(stateNow(), "what was read before the retry is no outcome of it").toBeUndefined();
  read.mockResolvedValue(inState("pending"));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(stateNow()).toBe("pending");
  read.mockResolvedValue(inState("published"));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(stateNow()).toBe("published");
  read.mockClear();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read, "its outcome is known").not.toHaveBeenCalled();
  end();
  client.clear();
});
