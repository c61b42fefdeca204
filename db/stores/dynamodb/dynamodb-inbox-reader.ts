import type { InboxReader } from "../port/inbox-reader.ts";
import { asking } from "./connection/to-store-error.ts";
import { lookUpInboxRows, oldestDoneRow } from "./read/look-up-inbox.ts";
import { findInboxSightings, type InboxRoom, listInboxRows, readInboxFigures } from "./read/read-inbox.ts";

export function createInboxReader(name: string, room: InboxRoom): InboxReader {
  const asked = <T>(work: () => Promise<T>) => asking(`inbox ${name}`, work);
  return {
    figures: () => asked(() => readInboxFigures(room)),
    list: (request) => asked(() => listInboxRows(room, request)),
    lookUp: (request) => asked(() => lookUpInboxRows(room, request)),
    oldestDone: (consumer) => asked(() => oldestDoneRow(room, consumer)),
    sightings: (eventId) => asked(() => findInboxSightings(room, eventId)),
  };
}
