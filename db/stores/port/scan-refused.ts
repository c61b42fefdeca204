/** Only a scan of a large table could answer. The fact stays unknown; do not retry another way. */
export class ScanRefused extends Error {
  override name = "ScanRefused";

  constructor(message = "No index answers this, and the table is large.") {
    super(message);
  }
}
