/** What data carries with it on its way between the parts of a command: bits, so that many ways join cheaply. */
export const FLOW = {
  /** Came from the network. */
  fetched: 1,
  /** Was hidden by an encoding, a cipher or a compression. */
  decoded: 2,
  /** Holds a secret. */
  secret: 4,
  /** Holds a token that a program hands out for use with its own service. */
  token: 8,
  /** Names files that hold secrets. */
  names: 16,
  /** Is a folder of files from the network. */
  unpacked: 32,
  /** Was put into a file by this very command. */
  written: 64,
  /** Is a link to a secret. */
  linked: 128,
} as const
