import diagnostics from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Published by Node for each connection that a server of this process accepts. */
const CONNECTION = "net.server.socket";
/** Published by Node for each request, before the server's own listener is called. */
export const REQUEST_STARTS = "http.server.request.start";

export interface Connections {
  /** Closes each connection as soon as it has no open request. Call it once, when the process stops. */
  closeUnused(): void;
}

/**
 * Follows the connections to this process. A server that closes waits for connections that have sent nothing, such as
 * those that a browser opens in advance or a load balancer's checks, and keeps those alive whose answer has just ended.
 * A stop would take as long as they do.
 */
export function followConnections(): Connections {
  const open = new Map<Socket, Set<ServerResponse>>();
  let stopping = false;
  const closeIfUnused = (socket: Socket) => {
    if (stopping && open.get(socket)?.size === 0) socket.destroySoon();
  };
  const note = (socket: Socket) => {
    const known = open.get(socket);
    if (known) return known;
    const responses = new Set<ServerResponse>();
    open.set(socket, responses);
    socket.once("close", () => open.delete(socket));
    return responses;
  };
  diagnostics.subscribe(CONNECTION, (message) => note((message as { socket: Socket }).socket));
  diagnostics.subscribe(REQUEST_STARTS, (message) => {
    const { socket, response } = message as { socket: Socket; response: ServerResponse };
    const responses = note(socket);
    responses.add(response);
    response.once("close", () => {
      responses.delete(response);
      closeIfUnused(socket);
    });
  });
  return {
    closeUnused() {
      stopping = true;
      for (const [socket, responses] of open) {
        for (const response of responses) if (!response.headersSent) response.setHeader("connection", "close");
        closeIfUnused(socket);
      }
    },
  };
}
