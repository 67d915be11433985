import type { Json } from '@countersign/core'
import type { ToolStatus } from './catalogue.ts'
import type { PinState } from './server-pins.ts'
import { hasHiddenText } from './suspicious-text.ts'
import type { DefinedTool } from './tool-definition.ts'

/** Why a tool is quarantined: the code is for programs, the text for people. */
export type QuarantineReason = 'broken' | 'server' | 'changed' | 'new' | 'renamed' | 'hidden' | 'twice' | 'unsigned'

export interface ReasonedStatus {
  readonly status: ToolStatus
  readonly reason: QuarantineReason | null
  /** Details for the person and the journal only: a model is not told how other servers are started. */
  readonly more: string
}

/**
 * The status of a listed tool. `label` is the server as in commands for the person; `twice` when the listing has the
 * name with another definition as well.
 */
export function toolStatus(defined: DefinedTool, state: PinState, label: string, twice: boolean): ReasonedStatus {
  const { tool } = defined
  const found = quarantine(defined, state, twice)
  if (found === null) return { status: { kind: 'accepted', tool }, reason: null, more: '' }
  const [reason, why] = found
  const fix =
    reason === 'broken'
      ? `restore the file, or run \`countersign mcp forget ${label}\` in a terminal`
      : reason === 'twice'
        ? 'ask the maintainer of the server to give each tool a unique name'
        : `a person must review it in the inbox or with \`countersign mcp accept ${label}\``
  const more = state.kind === 'other' && reason === 'server' ? `: ${state.shown}` : ''
  return { status: { kind: 'quarantined', tool, why, fix }, reason, more }
}

function quarantine(
  { tool, hash, nameless }: DefinedTool,
  state: PinState,
  twice: boolean,
): readonly [QuarantineReason, string] | null {
  if (state.kind === 'broken') return ['broken', `the pins of this server cannot be read: ${state.why}`]
  if (twice) return ['twice', 'its server lists it twice, with different definitions']
  if (state.kind === 'unmet') return fresh(tool.definition, null)
  if (state.kind === 'other')
    return [
      'server',
      state.isFolderNew
        ? 'its command can start another program in each folder, and it was accepted without a folder'
        : 'another server was accepted under this name',
    ]
  const pin = state.tools.get(tool.name)
  if (pin === undefined) return fresh(tool.definition, renamedFrom(nameless, state))
  if (pin.hash !== hash)
    return [
      'changed',
      pin.origin.kind === 'person'
        ? 'its definition changed since it was accepted'
        : 'its definition changed since first contact, and no person has accepted it',
    ]
  if (pin.origin.kind === 'none') return ['unsigned', 'its acceptance is not signed by an enrolled approver']
  return null
}

function fresh(definition: Json, old: string | null): readonly [QuarantineReason, string] {
  if (hasHiddenText(definition)) return ['hidden', 'its definition contains text that only a model can see']
  if (old !== null) return ['renamed', `it has the definition of \`${old}\` under another name`]
  return ['new', 'it is new: no person has accepted it']
}

/** SECURITY: A20 renaming must not shake off what was accepted, or held, under the old name. */
function renamedFrom(nameless: string, state: Extract<PinState, { kind: 'met' }>): string | null {
  for (const [name, pin] of state.tools) if (pin.nameless === nameless) return name
  return null
}
