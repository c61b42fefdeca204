import {
  ignoreTableSchema,
  mappingPreviewSchema,
  mappingProposalSchema,
  savedMappingSchema,
  saveMappingSchema,
} from "../outbox/mapping.ts";
import { forgetRequestSchema, outboxDetailSchema, outboxListSchema } from "../outbox/outboxes.ts";
import { seriesQuerySchema, seriesSchema, snapshotSchema } from "../outbox/snapshot.ts";
import { retentionPreviewQuerySchema, retentionPreviewSchema, storageSchema } from "../outbox/storage.ts";
import { findingListSchema } from "../watch/findings.ts";
import { type Endpoint, OUTBOX } from "./endpoint.ts";

const TABLE = "/api/v1/stores/{store}/tables/{table}";

/** Outboxes: their figures, mapping, storage and findings. */
export const OUTBOXES: readonly Endpoint[] = [
  { method: "get", path: "/api/v1/outboxes", summary: "Every outbox with its figures", answer: outboxListSchema },
  { method: "get", path: OUTBOX, summary: "Mapping, capabilities, missing indexes", answer: outboxDetailSchema },
  {
    method: "get",
    path: `${OUTBOX}/snapshot`,
    summary: "Current figures and verdict of one outbox",
    answer: snapshotSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/series`,
    summary: "Samples over time; steps without a sample are gaps",
    query: seriesQuerySchema,
    answer: seriesSchema,
  },
  { method: "get", path: `${OUTBOX}/findings`, summary: "What the watchdog found stuck", answer: findingListSchema },
  {
    method: "get",
    path: `${OUTBOX}/storage`,
    summary: "Sizes, growth, what holds back clean-up, slots, partitions, retention",
    answer: storageSchema,
  },
  {
    method: "get",
    path: `${OUTBOX}/retention/preview`,
    summary: "What retention would remove now; changes nothing",
    query: retentionPreviewQuerySchema,
    answer: retentionPreviewSchema,
  },
  ...mappingEndpoints(OUTBOX, "an outbox"),
  ...mappingEndpoints(TABLE, "a table that may be an outbox"),
  {
    method: "post",
    path: `${OUTBOX}/forget`,
    summary: "Removes a missing outbox from health, metrics and lists; admin",
    body: forgetRequestSchema,
    answer: outboxListSchema,
  },
];

function mappingEndpoints(base: string, of: string): Endpoint[] {
  return [
    {
      method: "get",
      path: `${base}/mapping`,
      summary: `The mapping of ${of}, with its newest rows, counts and what each action writes`,
      answer: mappingPreviewSchema,
    },
    {
      method: "post",
      path: `${base}/mapping`,
      summary: "The same for a proposed mapping; saves nothing",
      body: mappingProposalSchema,
      answer: mappingPreviewSchema,
    },
    {
      method: "post",
      path: `${base}/mapping/save`,
      summary:
        "Writes a mapping into outbox.yaml and takes it over; accepts it unless the outbox is observed only; admin",
      body: saveMappingSchema,
      answer: savedMappingSchema,
    },
    {
      method: "post",
      path: `${base}/ignore`,
      summary: "Says in outbox.yaml that the table is no outbox; admin",
      body: ignoreTableSchema,
      answer: savedMappingSchema,
    },
  ];
}
