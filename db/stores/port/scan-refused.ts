import { StoreError } from "./store-error.ts";

/**
 * Only a scan of a large table could answer. The fact stays unknown; do not retry another way. Every port passes it on
 * unchanged, and it is not a failure of the store.
 */
export class ScanRefused extends StoreError {
  constructor(message = "No index answers this, and the table is large.") {
    super("unindexed", "filter_not_indexed", message, {});
  }
}
