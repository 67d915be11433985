import { byName } from './name-cache.ts'
import { isThing, readName } from './verbs.ts'

/** Verbs of tools that do whatever an argument says: `api_call`, `execute_action`, `run`. */
const DISPATCHING: ReadonlySet<string> = new Set(
  'call dispatch execute exec run invoke perform request http handle process manage act do use command trigger'.split(
    ' ',
  ),
)
/** What stands beside them and does nothing either. */
const BESIDE: ReadonlySet<string> = new Set(
  `action actions operation operations op cloud infra infrastructure ops platform gateway proxy tool client admin manager
  control controller crud handler helper cli cmd rest rpc task generic any universal main single multi integration
  connector provider ctl interface endpoint hub`.split(/\s+/),
)

/**
 * Whether a name leaves it to an argument what is done: nothing in it acts but verbs of doing what one is told. A word
 * nobody knows may act, so with one in it the name is not open.
 */
export const leavesItOpen: (name: string) => boolean = byName((name) => {
  const { words, acts } = readName(name)
  if (!acts.every(({ word }) => DISPATCHING.has(word))) return false
  return words.every((word) => DISPATCHING.has(word) || BESIDE.has(word) || isThing(word))
})
