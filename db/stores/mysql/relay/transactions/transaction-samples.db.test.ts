import { describe, expect, test } from "vitest";
import { flavorsFor } from "#tests/mysql.ts";
import { waitFor } from "#tests/wait-for.ts";
import { relayBox } from "../relay-box.fixture.ts";
import { openStoreRelays } from "../store-relays.ts";

describe.each(flavorsFor("mysql"))("samples of the open transactions of %s", (flavor) => {
  const box = relayBox(flavor);
  const open = () => openStoreRelays({ url: box.database.url, own: box.database.own });

  test("are shared: those who ask during one get the next, which is fresh for all of them", async () => {
    const { samples } = open();
    const relays = Array.from({ length: 20 }, () => samples.join());
    const writer = await box.database.connect();
    await writer.query("START TRANSACTION");
    await writer.query("INSERT INTO box (aggregate_id) VALUES ('a')");
    const answersDuringOne = async () => {
      const running = samples.sample();
      await running.begun;
      const answers = new Set(await Promise.all(relays.map(() => samples.sample().ended)));
      return { running: await running.ended, answers: [...answers] };
    };
    const { running, answers } = await waitFor(
      async () => {
        const found = await answersDuringOne();
        return found.answers.includes(null) ? null : found;
      },
      { message: "an answer is fresh" },
    );
    expect(answers).toHaveLength(1);
    const [later] = answers;
    expect(later).not.toBe(running);
    expect(later?.open.map(({ thread }) => thread)).toContain(String(writer.threadId));
    await writer.end();
    await Promise.all(relays.map(() => samples.leave()));
  });

  test("go on when a relay leaves, and begin again with the next relay after the last has left", async () => {
    const { samples } = open();
    samples.join();
    samples.join();
    const running = samples.sample();
    await samples.leave();
    await running.ended;
    await waitFor(async () => (await samples.sample().ended) !== null, { message: "an answer is fresh" });
    const waiting = samples.sample();
    await samples.leave();
    await waiting.ended;
    expect(await samples.sample().ended).toBeNull();
    samples.join();
    await waitFor(async () => (await samples.sample().ended) !== null, { message: "an answer is fresh again" });
    await samples.leave();
  });
});
