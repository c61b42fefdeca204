/** A fact that only reading a large table could tell. It is not known, and nobody tries harder. */
export class ScanRefused extends Error {
  override name = "ScanRefused";

  constructor(message = "No index answers this, and the table is large.") {
    super(message);
  }
}
