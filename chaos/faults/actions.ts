import { setTimeout as delay } from "node:timers/promises";
import type { Step, StepKind } from "../schedule.ts";
import type { Foreign, ServerEnd } from "../stores/chaos-store.ts";
import type { Line, Passing } from "../world/line.ts";
import type { BadAnswer } from "../world/recorders/recorder.ts";
import type { World } from "../world/world.ts";
import type { Action } from "./action.ts";
import { actOnMessages, pauseForAWhile } from "./operators.ts";

export const ACTIONS: Record<StepKind, Action> = {
  "relay-kill": endRelay("SIGKILL"),
  "relay-stop": endRelay("SIGTERM"),
  "relay-freeze": freezeRelay,
  "db-restart": restartStore("stop"),
  "db-immediate": restartStore("immediate"),
  "db-kill": restartStore("kill"),
  "sessions-terminate": actAsForeigner("sessions-terminate"),
  "db-line-cut": cutLine((world) => world.databaseLines),
  "db-line-hang": breakLine((world) => world.databaseLines, "hang"),
  "db-line-no-answers": breakLine((world) => world.databaseLines, "no-answers"),
  "db-line-refuse": breakLine((world) => world.databaseLines, "refuse"),
  "db-line-slow": slowLine((world) => world.databaseLines),
  "sink-line-cut": cutLine((world) => world.sinkLines),
  "sink-line-hang": breakLine((world) => world.sinkLines, "hang"),
  "sink-line-no-answers": breakLine((world) => world.sinkLines, "no-answers"),
  "sink-line-refuse": breakLine((world) => world.sinkLines, "refuse"),
  "sink-line-slow": slowLine((world) => world.sinkLines),
  "sink-stop": endSink("stop"),
  "sink-kill": endSink("kill"),
  "answer-500": answerBadly("500"),
  "answer-500-after": answerBadly("500-after"),
  "answer-nothing": answerBadly("nothing"),
  "answer-400": answerBadly("400"),
  "answer-503": answerBadly("503"),
  "foreign-snapshot": actAsForeigner("foreign-snapshot"),
  "foreign-locks": actAsForeigner("foreign-locks"),
  "operator-dead-letter": actOnMessages("dead-letter"),
  "operator-retry": actOnMessages("retry"),
  "operator-archive": actOnMessages("archive"),
  "operator-restore": actOnMessages("restore"),
  "operator-pause": pauseForAWhile,
};

/** The slot's next process starts after a pause, with its own clock shift. */
function endRelay(signal: "SIGKILL" | "SIGTERM"): Action {
  return async ({ fleet, log }, { slot, forMs, amount }) => {
    if (!fleet.live.includes(slot)) return false;
    const over = log.begin(signal === "SIGKILL" ? "relay-kill" : "relay-stop", slot);
    await fleet.end(slot, signal);
    over();
    await delay(forMs);
    await fleet.start(slot, amount * 1000);
    return true;
  };
}

async function freezeRelay({ fleet, log }: World, { slot, forMs }: Step): Promise<boolean> {
  if (!fleet.signal(slot, "SIGSTOP")) return false;
  const over = log.begin("relay-freeze", slot);
  await delay(forMs);
  fleet.signal(slot, "SIGCONT");
  over();
  return true;
}

function restartStore(how: ServerEnd): Action {
  return async ({ store, log }, { kind, forMs }) => {
    const over = log.begin(kind);
    await store.restart(how, forMs);
    over();
    return true;
  };
}

function cutLine(lines: (world: World) => Line[]): Action {
  return async (world, { kind, slot }) => {
    const over = world.log.begin(kind, slot);
    lines(world)[slot]?.cut();
    over();
    return true;
  };
}

function breakLine(lines: (world: World) => Line[], passing: Passing): Action {
  return async (world, { kind, slot, forMs }) => {
    const line = lines(world)[slot];
    const over = world.log.begin(kind, slot);
    await line?.set(passing);
    await delay(forMs);
    await line?.set("open");
    over();
    return true;
  };
}

function slowLine(lines: (world: World) => Line[]): Action {
  return async (world, { kind, slot, forMs, amount }) => {
    const line = lines(world)[slot];
    const over = world.log.begin(kind, slot);
    line?.slow(amount);
    await delay(forMs);
    line?.slow(0);
    over();
    return true;
  };
}

function endSink(how: "stop" | "kill"): Action {
  return async ({ recorder, log }, { kind, forMs }) => {
    const over = log.begin(kind);
    await recorder.stop(how);
    await delay(forMs);
    await recorder.start();
    over();
    return true;
  };
}

function answerBadly(answer: BadAnswer): Action {
  return async ({ recorder, log }, { kind, forMs, amount }) => {
    if (recorder.answers === null) return false;
    const over = log.begin(kind);
    const end = recorder.answers.begin(answer, amount / 1000);
    await delay(forMs);
    end();
    over();
    return true;
  };
}

function actAsForeigner(kind: Foreign): Action {
  return async ({ store }, step) => store.foreign[kind]?.(step) ?? false;
}
