import type { CommandPart } from '../../command/model/decomposition.ts'
import type { LocatedPath } from '../path/located-path.ts'

/** A simple command with its located paths. */
export interface FlowPart {
  readonly part: CommandPart
  readonly paths: readonly LocatedPath[]
}

/** The taint of data that flows between the parts of a command. Bits, so that several flows combine cheaply. */
export const FLOW = {
  /** Came from the network. */
  fetched: 1,
  /** Was encoded, encrypted or compressed. */
  decoded: 2,
  /** Contains a secret. */
  secret: 4,
  /** Contains a token that a program issues for its own service. */
  token: 8,
  /** Names files that contain secrets. */
  names: 16,
  /** Is a folder of files from the network. */
  unpacked: 32,
  /** Was written to a file by the same command. */
  written: 64,
  /** Is a link to a secret. */
  linked: 128,
} as const
