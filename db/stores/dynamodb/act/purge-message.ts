import { AppError } from "#domain/errors.ts";
import { PURGED } from "../../shared/act/act-sentences.ts";
import { deleteIf, dropImage, PARTITIONS } from "../own-table/own-table.ts";
import type { Verb } from "./verb.ts";

/** Deletes an archived message for good. */
export const purgeMessage: Verb = ({ room: { own, ref }, found: { row, archived } }) => {
  if (!archived) throw new AppError("not_found", "This message is not in the archive any more.");
  return {
    writes: [
      deleteIf(own, { pk: PARTITIONS.archive(ref.name), sk: row.id }, archived.v),
      dropImage(own, ref.name, row.id),
    ],
    message: PURGED,
    version: null,
    stays: null,
  };
};
