import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { Why } from "#contracts/message/messages.ts";
import { whyQuery } from "./message-queries.ts";
import { createQueryClient } from "./query-client.ts";

test("why a message does not move is asked anew as soon as the message has changed", async () => {
  const client = createQueryClient();
  const answers = [{ summary: "It is tried again at 03:05." }, { summary: "It is dead." }] as Why[];
  const options = (version: string) => ({
    ...whyQuery("orders", "1", version),
    staleTime: 60_000,
    queryFn: () => Promise.resolve(answers.shift() as Why),
  });
  const observer = new QueryObserver(client, options("1"));
  const end = observer.subscribe(() => undefined);
  const said = () => observer.getCurrentResult().data?.summary;
  await expect.poll(said).toBe("It is tried again at 03:05.");
  observer.setOptions(options("2"));
  expect(observer.getCurrentResult(), "its lines stay for as long as that takes").toMatchObject({
    isPlaceholderData: true,
  });
  await expect.poll(said).toBe("It is dead.");
  observer.setOptions({ ...whyQuery("orders", "2", "1"), queryFn: () => new Promise<Why>(() => undefined) });
  expect(said(), "another message has reasons of its own").toBeUndefined();
  end();
  client.clear();
});
