import { startWireProxy, type WireWatcher } from "./wire-proxy.ts";

export interface StatementCutter {
  port: number;
  /**
   * Resets all connections once the `nth` statement from now (1 is the next) arrives: `before` it is passed on, or
   * `after` the server has answered it, with the answer held back. A pipeline is answered as one.
   */
  cutAt(nth: number, when: "before" | "after"): { struck(): boolean; clear(): void };
  close(): Promise<void>;
}

interface Plan {
  left: number;
  when: "before" | "after";
  struck: boolean;
}

const [QUERY, EXECUTE, SYNC, READY] = ["Q", "E", "S", "Z"];

/** A proxy to a Postgres server for faults between any two statements. */
export async function startStatementCutter(target: { host: string; port: number }): Promise<StatementCutter> {
  let plan: Plan | null = null;
  const strike = () => {
    if (plan) plan.struck = true;
    proxy.cutAll();
    return false;
  };

  const watchConnection = (): WireWatcher => {
    // Requests that end in a ReadyForQuery, sent and answered; the start-up ends in one too.
    let asked = 1;
    let answered = 0;
    /** The answer that must be held back. */
    let deadline: number | null = null;
    return {
      fromClient: ({ type }) => {
        const strikes = (type === QUERY || type === EXECUTE) && plan !== null && --plan.left === 0;
        if (strikes && plan?.when === "before") return strike();
        if (strikes) deadline = asked + 1;
        if (type === QUERY || type === SYNC) asked++;
        return true;
      },
      fromServer: ({ type }) => {
        if (type === READY) answered++;
        return deadline !== null && answered >= deadline ? strike() : true;
      },
    };
  };

  const proxy = await startWireProxy(target, watchConnection);
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
