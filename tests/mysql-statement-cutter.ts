import { type MysqlPacket, type MysqlWatcher, startMysqlWireProxy } from "./mysql-wire-proxy.ts";
import type { StatementCutter } from "./statement-cutter.ts";

interface Plan {
  left: number;
  when: "before" | "after";
  struck: boolean;
}

/** Commands that execute statements; not those that only prepare, ping, close or quit. */
const STATEMENTS = new Set([0x03, 0x17]);

/** A proxy to a MySQL or MariaDB server for faults between any two statements. A text of several is one statement. */
export async function startMysqlStatementCutter(target: { host: string; port: number }): Promise<StatementCutter> {
  let plan: Plan | null = null;
  const strike = () => {
    if (plan) plan.struck = true;
    proxy.cutAll();
    return false;
  };

  const watchConnection = (): MysqlWatcher => {
    /** Follows the answer that must be held back. */
    let held: ((packet: MysqlPacket) => boolean) | null = null;
    return {
      fromClient: ({ sequence, body }) => {
        const strikes = sequence === 0 && STATEMENTS.has(body[0] ?? 0) && plan !== null && --plan.left === 0;
        if (strikes && plan?.when === "before") return strike();
        if (strikes) held = answerReader();
        return true;
      },
      fromServer: (packet) => {
        if (!held) return true;
        if (held(packet)) strike();
        return false;
      },
    };
  };

  const proxy = await startMysqlWireProxy(target, watchConnection);
  return {
    port: proxy.port,
    cutAt: (nth, when) => {
      const mine: Plan = { left: nth, when, struck: false };
      plan = mine;
      return {
        struck: () => mine.struck,
        clear: () => {
          if (plan === mine) plan = null;
        },
      };
    },
    close: () => proxy.close(),
  };
}

const [OK, END, FAILED] = [0x00, 0xfe, 0xff];
const MORE_RESULTS = 0x0008;

/** Reads the answer to one command; true at its last packet. */
function answerReader(): (packet: MysqlPacket) => boolean {
  let part: "header" | "columns" | "rows" = "header";
  return ({ body }) => {
    const [first] = body;
    if (first === FAILED) return true;
    if (part === "header") {
      if (first === OK) return (statusOfOk(body) & MORE_RESULTS) === 0;
      part = "columns";
      return false;
    }
    if (first !== END || body.length >= 9) return false;
    if (part === "columns") {
      part = "rows";
      return false;
    }
    part = "header";
    return (body.readUInt16LE(3) & MORE_RESULTS) === 0;
  };
}

/** The status follows two numbers, each of one byte or of as many as its first byte says. */
function statusOfOk(body: Buffer): number {
  let at = 1;
  for (let number = 0; number < 2; number += 1) at += { 252: 3, 253: 4, 254: 9 }[body[at] ?? 0] ?? 1;
  return body.readUInt16LE(at);
}
