import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { waitFor } from "../wait-for.ts";

export interface HttpCutter {
  url: string;
  /** Cuts every connection at the `nth` request from now, and refuses all until `clear`. */
  cutAt(nth: number, when: "before" | "after"): { struck(): boolean; clear(): void };
  /** Answers every request for this operation with this error of DynamoDB; null passes them on again. */
  refuse(operation: string, error: string | null): void;
  /** Runs `work` once, before passing on the next request for this operation. */
  beforeNext(operation: string, work: () => Promise<unknown>): void;
  /** Operations requested so far, e.g. `GetItem`. */
  readonly operations: readonly string[];
  /** Fails when a connection stays open. */
  close(): Promise<void>;
}

const JSON_TYPE = "application/x-amz-json-1.0";

/** A proxy in front of an HTTP server, whose connections can be cut before or after a request is carried out. */
export async function startHttpCutter(target: string): Promise<HttpCutter> {
  const { hostname, port } = new URL(target);
  let plan: { left: number; when: "before" | "after"; struck: boolean } | null = null;
  const cutAll = () => server.closeAllConnections();

  const pass = (incoming: IncomingMessage, response: ServerResponse, onAnswer: () => boolean) => {
    const { method, url, headers } = incoming;
    const outgoing = sendRequest({ hostname, port, method, path: url, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => {
        if (!onAnswer()) return;
        response.writeHead(answer.statusCode ?? 500, answer.headers).end(Buffer.concat(chunks));
      });
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  };

  const operations: string[] = [];
  const refused = new Map<string, string>();
  let meanwhile: { operation: string; work: () => Promise<unknown> } | null = null;
  const server = createServer((incoming, response) => {
    const operation = String(incoming.headers["x-amz-target"]).split(".").at(-1) ?? "";
    operations.push(operation);
    const refusal = refused.get(operation);
    if (refusal !== undefined) {
      const body = JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${refusal}`, message: "refused" });
      incoming.resume().on("end", () => response.writeHead(400, { "content-type": JSON_TYPE }).end(body));
      return;
    }
    if (meanwhile?.operation === operation) {
      const { work } = meanwhile;
      meanwhile = null;
      // The caller of `work` gets its errors.
      void work().then(
        () => pass(incoming, response, () => true),
        () => incoming.socket.destroy(),
      );
      return;
    }
    if (plan?.struck) {
      incoming.socket.destroy();
      return;
    }
    if (plan) plan.left -= 1;
    const isIt = plan !== null && plan.left === 0;
    if (isIt && plan?.when === "before") {
      plan.struck = true;
      cutAll();
      return;
    }
    pass(incoming, response, () => {
      if (!isIt || !plan) return true;
      plan.struck = true;
      cutAll();
      return false;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    operations,
    refuse: (operation, error) => {
      if (error === null) refused.delete(operation);
      else refused.set(operation, error);
    },
    beforeNext: (operation, work) => {
      meanwhile = { operation, work };
    },
    cutAt: (nth, when) => {
      const mine = { left: nth, when, struck: false };
      plan = mine;
      return {
        struck: () => mine.struck,
        clear: () => {
          if (plan === mine) plan = null;
        },
      };
    },
    close: async () => {
      const count = () => new Promise<number>((resolve) => server.getConnections((_, open) => resolve(open)));
      await waitFor(async () => (await count()) === 0, { message: "every connection to DynamoDB is closed" });
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
