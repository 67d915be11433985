import type { Json } from '@countersign/core'
import type { ToolStanding } from './catalogue.ts'
import type { PinState } from './server-pins.ts'
import { isSmuggling } from './suspicious-text.ts'
import type { DefinedTool } from './tool-definition.ts'

/** Why a tool is in quarantine: the word is for programs, the text for people. */
export type QuarantineReason = 'broken' | 'server' | 'changed' | 'new' | 'renamed' | 'hidden' | 'twice' | 'unsigned'

export interface Standing {
  readonly standing: ToolStanding
  readonly reason: QuarantineReason | null
  /** More of why, for the person and the journal only: a model is not told how other servers are started. */
  readonly more: string
}

/**
 * Where a listed tool stands. `label`: as a person's commands name the server. `twice`: the same listing has the name with
 * another definition as well.
 */
export function standingOf(defined: DefinedTool, state: PinState, label: string, twice: boolean): Standing {
  const { tool } = defined
  const found = quarantine(defined, state, twice)
  if (found === null) return { standing: { kind: 'accepted', tool }, reason: null, more: '' }
  const [reason, why] = found
  const fix =
    reason === 'broken'
      ? `restore the file, or run \`countersign mcp forget ${label}\` in a terminal`
      : reason === 'twice'
        ? 'ask whoever keeps the server to give each tool a name of its own'
        : `a person must look at it, in the inbox or with \`countersign mcp accept ${label}\``
  const more = state.kind === 'other' && reason === 'server' ? `: ${state.shown}` : ''
  return { standing: { kind: 'quarantined', tool, why, fix }, reason, more }
}

function quarantine(
  { tool, hash, nameless }: DefinedTool,
  state: PinState,
  twice: boolean,
): readonly [QuarantineReason, string] | null {
  if (state.kind === 'broken') return ['broken', `what was accepted of this server cannot be read: ${state.why}`]
  if (twice) return ['twice', 'its server lists it twice, with different definitions']
  if (state.kind === 'unmet') return fresh(tool.definition, null)
  if (state.kind === 'other')
    return [
      'server',
      state.isFolderNew
        ? 'its command starts another program in another folder, and it was accepted without one'
        : 'another server was accepted under this name',
    ]
  const pin = state.tools.get(tool.name)
  if (pin === undefined) return fresh(tool.definition, renamedFrom(nameless, state))
  if (pin.hash !== hash)
    return [
      'changed',
      pin.word.kind === 'person'
        ? 'its definition changed since it was accepted'
        : 'its definition is not the one of the first contact, which no person has accepted',
    ]
  if (pin.word.kind === 'none') return ['unsigned', 'its acceptance is not signed by an enrolled approver']
  return null
}

function fresh(definition: Json, old: string | null): readonly [QuarantineReason, string] {
  if (isSmuggling(definition)) return ['hidden', 'its definition holds text that only a model can see']
  if (old !== null) return ['renamed', `it has the definition of \`${old}\` under another name`]
  return ['new', 'it is new: no person has accepted it']
}

/** SECURITY: A20 a new name must not shake off what was accepted, or held, under the old one. */
function renamedFrom(nameless: string, state: Extract<PinState, { kind: 'met' }>): string | null {
  for (const [name, pin] of state.tools) if (pin.nameless === nameless) return name
  return null
}
