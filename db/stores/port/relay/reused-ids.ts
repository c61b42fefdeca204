/** One step through the records of failed messages. */
export interface ReusedIds {
  /** Number of records that were deleted. */
  dropped: number;
  /** Where the next step goes on; null after the last record. */
  next: string | null;
}
