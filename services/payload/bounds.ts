/** Most bytes that decoding reads of a stored value, and that one layer may decompress to. */
export const MOST_BYTES = 5_000_000;
/** Most bytes that are read as a binary format or PHP: these readers run in the server's own thread. */
export const MOST_BINARY_BYTES = 500_000;
/** Most steps from the stored value inwards; a layer takes one or two. */
export const MOST_STEPS = 16;
/** Most bytes that are shown of decompressed or unwrapped content of no known format. */
export const MOST_HEAD_BYTES = 4_096;
/** Most levels of nested values that a reader follows. */
export const MOST_DEPTH = 64;
/** Most values that are listed of one payload. */
export const MOST_NODES = 20_000;
/** Most characters of all names and texts of one payload's values; each may take three bytes. */
export const MOST_CHARACTERS = 1_600_000;
/** Most facts of one envelope. */
export const MOST_FACTS = 200;
/** Most characters of the name and of the value of one fact. */
export const MOST_FACT_CHARACTERS = 1_000;
/** Most compressed blocks of one Avro file: they are decompressed in the server's own thread. */
export const MOST_COMPRESSED_BLOCKS = 1_000;
/** Most bytes of one binary value that are listed as hex. */
export const MOST_HEX_BYTES = 64;
