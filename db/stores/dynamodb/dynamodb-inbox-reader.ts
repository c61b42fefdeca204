import type { InboxReader } from "../port/inbox-reader.ts";
import { asking } from "./connection/to-store-error.ts";
import { findInboxSightings, type InboxRoom, listInboxRows, readInboxFigures } from "./read/read-inbox.ts";

export function createInboxReader(name: string, room: InboxRoom): InboxReader {
  const asked = <T>(work: () => Promise<T>) => asking(`inbox ${name}`, work);
  return {
    figures: () => asked(() => readInboxFigures(room)),
    list: (request) => asked(() => listInboxRows(room, request)),
    sightings: (eventId) => asked(() => findInboxSightings(room, eventId)),
  };
}
