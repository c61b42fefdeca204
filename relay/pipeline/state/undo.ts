/** Attempts of a message that were burned and are not its fault. */
export interface Undo {
  id: string;
  attempts: number;
}
