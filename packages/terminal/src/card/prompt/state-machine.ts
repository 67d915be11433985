import { type Decision, nextLifetime, type RulesAnswer, type RulesProposal } from '@countersign/core'
import type { Key } from '../keys/key.ts'
import { editText, expandPastes } from '../keys/text-field.ts'
import { choiceKey, escapeNote, type PromptFacts, withLifetime } from './choice.ts'
import { obstacle } from './obstacle.ts'
import type { PromptEffect, PromptInput, PromptState, Stage, Step } from './stage.ts'

/** Input is ignored until the prompt has been visible for this long … */
export const PAINTED_MS = 600
/** … and no key was pressed for this long. SECURITY: A5 keys typed ahead decide nothing. */
export const QUIET_MS = 250

const LONGEST_REASON = 500
const LONGEST_PASSPHRASE = 1_025
/** Maximum number of wrong codes or passphrases. */
export const TRIES = 3

/** The initial state. Reject is preselected from high risk on, and where only a passkey can approve. */
export function openPromptState(facts: PromptFacts, at: number, stage: Stage = { kind: 'choose' }): PromptState {
  const focus = facts.act === 'one' && facts.passkey !== true ? 'approve' : 'reject'
  return {
    stage,
    focus,
    paintedAt: at,
    keyAt: Number.NEGATIVE_INFINITY,
    armed: false,
    read: 1,
    revealed: false,
    note: null,
  }
}

/** When the prompt becomes armed if no key is pressed; null if it is armed. */
export function armsAt(state: PromptState): number | null {
  return state.armed ? null : Math.max(state.paintedAt + PAINTED_MS, state.keyAt + QUIET_MS)
}

/** Moves the prompt by one input. Pure: time comes in with the input. */
export function stepPrompt(before: PromptState, input: PromptInput, facts: PromptFacts): Step {
  const due = armsAt(before)
  const state = due !== null && input.at >= due ? { ...before, armed: true } : before
  if (input.kind === 'tick') return { state, effects: [] }
  if (input.kind === 'refused') return still({ ...enter(state, { kind: 'choose' }, input.at), note: input.message })
  if (input.kind === 'locked') return tryAgain(state, input.at)
  if (input.kind === 'proposed') return still(propose(state, input))
  if (input.keys.some((key) => key.kind === 'interrupt')) return done(state, { kind: 'withdraw' })
  if (state.stage.kind === 'sent' || state.stage.kind === 'opening') return still(state)
  // SECURITY: A5 keys right after a paste may belong to it.
  if (!isField(state.stage) && input.keys.some((key) => key.kind === 'paste'))
    return still({ ...state, armed: false, keyAt: input.at, note: 'pasted text is ignored here' })
  if (!state.armed) return still({ ...state, keyAt: input.at })
  if (isField(state.stage)) return typeKeys(state, { ...input, keys: expandPastes(input.keys) }, facts)
  const [key] = input.keys
  // SECURITY: A5 the last character of a long paste may arrive alone: it must find the prompt unarmed.
  if (key === undefined || input.keys.length > 1)
    return still({ ...state, armed: false, keyAt: input.at, note: 'one key at a time' })
  return press({ ...state, note: null }, key, input.at, facts)
}

function press(state: PromptState, key: Key, at: number, facts: PromptFacts): Step {
  switch (state.stage.kind) {
    case 'choose':
      return choose(state, key, at, facts)
    case 'again':
      if (isLetter(key, 'y')) return confirm(state, state.stage, at, facts)
      if (isLetter(key, '+') || isLetter(key, '-'))
        return still(lengthen(state, state.stage, isLetter(key, '+') ? 1 : -1, at))
      // One step back: a grant or rule that was looked at returns to the list.
      if (state.stage.grant !== null) return listGrants(state, at)
      return still(enter(state, { kind: 'choose' }, at))
    case 'grant':
      return pickGrant(state, key, at, facts)
    default:
      return still(state)
  }
}

function choose(state: PromptState, key: Key, at: number, facts: PromptFacts): Step {
  if (key.kind === 'next') return still(facts.passkey === true ? state : { ...state, focus: otherThan(state.focus) })
  if (key.kind === 'enter') return state.focus === 'reject' ? reject(state, at, facts) : wantApprove(state, at, facts)
  if (isLetter(key, 'n')) return reject(state, at, facts)
  if (key.kind === 'escape') return still({ ...state, note: escapeNote(facts) })
  if (isLetter(key, 'y')) return wantApprove(state, at, facts)
  if (isLetter(key, 'r')) return still(enter(state, { kind: 'reason', of: 'reject', text: '' }, at, true))
  if (isLetter(key, 'd')) return turnPage(state, facts)
  if (isLetter(key, 'v') && facts.secrets > 0)
    return { state: { ...state, revealed: true, read: 1 }, effects: [{ kind: 'reveal' }] }
  if (isLetter(key, '?')) return { state, effects: [{ kind: 'help' }] }
  if (isLetter(key, 'g')) return wantGrant(state, at, facts)
  return still(state)
}

function wantApprove(state: PromptState, at: number, facts: PromptFacts): Step {
  const missing = obstacle(state, facts)
  if (missing !== null) return still({ ...state, note: missing })
  switch (facts.act) {
    case 'one':
      return approve(state, undefined, at, facts)
    case 'two':
      return still(enter(state, { kind: 'again', grant: null }, at))
    case 'manual':
      return still(enter(state, { kind: 'code', text: '', tries: 0 }, at, true))
  }
}

type Again = Extract<Stage, { readonly kind: 'again' }>

/** The second press. A prompt may start here, so what must be shown first is asked for again. */
function confirm(state: PromptState, { grant, proposal }: Again, at: number, facts: PromptFacts): Step {
  const missing = obstacle(state, facts)
  if (missing !== null) return still({ ...enter(state, { kind: 'choose' }, at), note: missing })
  if (grant === null || 'grant' in grant) return approve(state, grant?.grant, at, facts)
  if (proposal === undefined) return still({ ...state, note: 'wait until the rule is checked' })
  const refused = refusalOf(proposal)
  if (refused !== null) return still({ ...enter(state, { kind: 'choose' }, at), note: refused })
  if (proposal.act.typed) return still(enter(state, { kind: 'code', text: '', tries: 0, proposal }, at, true))
  return decided(state, { kind: 'approve' }, at, facts, { proposal })
}

/** The grant that is looked at, for longer or shorter. Its words change, so the prompt arms again. */
function lengthen(state: PromptState, { grant }: Again, by: 1 | -1, at: number): PromptState {
  if (grant === null || !('grant' in grant)) return state
  const { lifetime } = grant.grant
  const next = nextLifetime(lifetime, by)
  if (lifetime.kind === 'session' || next === lifetime)
    return { ...state, note: 'a grant for the session has no length' }
  return enter(state, { kind: 'again', grant: withLifetime(grant, next) }, at)
}

/** Why a rule cannot be added here. */
function refusalOf({ act, failing }: RulesProposal): string | null {
  if (act.passkey) return 'only a passkey can add this rule; use the inbox'
  return failing.length > 0 ? 'tests of your policy would fail; the rule cannot be added' : null
}

/** The chosen rule is on the screen from now on: the prompt arms again. */
function propose(state: PromptState, { proposal, at }: Extract<PromptInput, { kind: 'proposed' }>): PromptState {
  const { stage } = state
  if (stage.kind !== 'again' || stage.grant === null || 'grant' in stage.grant) return state
  return enter(state, { ...stage, proposal }, at)
}

function wantGrant(state: PromptState, at: number, facts: PromptFacts): Step {
  const missing = obstacle(state, facts)
  if (missing !== null) return still({ ...state, note: missing })
  if (facts.grants.length === 0) return still({ ...state, note: 'a grant would change nothing here' })
  return listGrants(state, at)
}

function listGrants(state: PromptState, at: number): Step {
  return { state: enter(state, { kind: 'grant' }, at, true), effects: [{ kind: 'grants' }] }
}

/** Shows the exact scope of the chosen grant; another `y` confirms it. */
function pickGrant(state: PromptState, key: Key, at: number, facts: PromptFacts): Step {
  const typed = key.kind === 'text' ? key.text.toLowerCase() : ''
  const choice = facts.grants.find((_, nth) => choiceKey(nth) === typed)
  if (choice !== undefined)
    return { state: enter(state, { kind: 'again', grant: choice }, at), effects: [{ kind: 'grant', choice }] }
  if (key.kind === 'text')
    return still({ ...state, note: `press a key from 1 to ${choiceKey(facts.grants.length - 1)}, or Esc` })
  return still(enter(state, { kind: 'choose' }, at))
}

function turnPage(state: PromptState, facts: PromptFacts): Step {
  const page = state.read < facts.allPages ? state.read : Math.min(facts.pages, facts.allPages - 1)
  return { state: { ...state, read: Math.max(state.read, page + 1) }, effects: [{ kind: 'page', page }] }
}

function typeKeys(state: PromptState, input: Extract<PromptInput, { kind: 'keys' }>, facts: PromptFacts): Step {
  let next: Step = still({ ...state, note: null })
  for (const key of input.keys) {
    const { stage } = next.state
    if (!isField(stage) || stage.kind !== state.stage.kind) break // keys after the end of a text decide nothing
    next = typeKey(next.state, stage, key, input.at, facts)
  }
  return next
}

type Field = Extract<Stage, { readonly text: string }>

/** Whether a text is being typed. */
export function isField(stage: Stage): stage is Field {
  return 'text' in stage
}

function typeKey(state: PromptState, stage: Field, key: Key, at: number, facts: PromptFacts): Step {
  switch (key.kind) {
    case 'escape':
      return still(enter(state, { kind: 'choose' }, at))
    case 'enter':
      return endField(state, stage, at, facts)
    default: {
      const text = editText(stage.text, key, stage.kind === 'passphrase' ? LONGEST_PASSPHRASE : LONGEST_REASON)
      return still(text === undefined ? state : { ...state, stage: { ...stage, text } })
    }
  }
}

function endField(state: PromptState, stage: Field, at: number, facts: PromptFacts): Step {
  switch (stage.kind) {
    case 'code':
      return endCode(state, stage, at, facts)
    case 'reason':
      return endReason(state, stage, at, facts)
    case 'passphrase':
      return endPassphrase(state, stage)
  }
}

function endCode(state: PromptState, stage: Extract<Field, { kind: 'code' }>, at: number, facts: PromptFacts): Step {
  const { code } = stage.proposal ?? facts
  const about = stage.proposal === undefined ? {} : { proposal: stage.proposal }
  if (stage.text.trim().toLowerCase() === code)
    return still(enter(state, { kind: 'reason', of: 'approve', text: '', ...about }, at, true))
  const tries = stage.tries + 1
  const back: Stage = tries >= TRIES ? { kind: 'choose' } : { kind: 'code', text: '', tries, ...about }
  return still({
    ...enter(state, back, at, back.kind === 'code'),
    note: `wrong code; type ${code}`,
  })
}

function endReason(
  state: PromptState,
  stage: Extract<Field, { kind: 'reason' }>,
  at: number,
  facts: PromptFacts,
): Step {
  const reason = stage.text.trim()
  if (stage.of === 'reject') return decided(state, { kind: 'reject', ...(reason === '' ? {} : { reason }) }, at, facts)
  if (reason === '') return still({ ...state, note: 'a reason is required under manual supervision' })
  const { proposal } = stage
  if (proposal !== undefined)
    return decided(state, { kind: 'approve', reason }, at, facts, { proposal, code: proposal.code, reason })
  return decided(state, { kind: 'approve', reason, code: facts.code }, at, facts)
}

function endPassphrase(state: PromptState, stage: Extract<Field, { kind: 'passphrase' }>): Step {
  const { decision, rule, text, tries } = stage
  const added = rule === undefined ? {} : { rule }
  if (text === '') return still({ ...state, note: 'type your passphrase, or press Esc to go back' })
  const effect = { kind: 'decide', decision, passphrase: text, ...added } as const
  return { state: { ...state, stage: { kind: 'opening', decision, tries, ...added }, note: null }, effects: [effect] }
}

function tryAgain(state: PromptState, at: number): Step {
  const { stage } = state
  if (stage.kind !== 'opening') return still(state)
  const tries = stage.tries + 1
  if (tries >= TRIES) return done(state, { kind: 'give-up' })
  const left = TRIES - tries
  return still({
    ...enter(state, { ...stage, kind: 'passphrase', text: '', tries }, at, true),
    note: `wrong passphrase; ${left === 1 ? '1 try' : `${left} tries`} left`,
  })
}

function approve(state: PromptState, grant: Decision['grant'], at: number, facts: PromptFacts): Step {
  return decided(state, { kind: 'approve', ...(grant === undefined ? {} : { grant }) }, at, facts)
}

function reject(state: PromptState, at: number, facts: PromptFacts): Step {
  return decided(state, { kind: 'reject' }, at, facts)
}

/** Submits the decision, or first asks for the passphrase. */
function decided(state: PromptState, decision: Decision, at: number, facts: PromptFacts, rule?: RulesAnswer): Step {
  const added = rule === undefined ? {} : { rule }
  if (facts.sealed !== true) return done(state, { kind: 'decide', decision, ...added })
  return still(enter(state, { kind: 'passphrase', decision, text: '', tries: 0, ...added }, at, true))
}

function otherThan(focus: PromptState['focus']): PromptState['focus'] {
  return focus === 'approve' ? 'reject' : 'approve'
}

/** Enters a stage. Stages that approve with a key arm again; text fields accept keys at once. */
function enter(state: PromptState, stage: Stage, at: number, armed = false): PromptState {
  return { ...state, stage, paintedAt: at, keyAt: at, armed, note: null }
}

function done(state: PromptState, effect: PromptEffect): Step {
  return { state: { ...state, stage: { kind: 'sent' }, note: null }, effects: [effect] }
}

function still(state: PromptState): Step {
  return { state, effects: [] }
}

function isLetter(key: Key, letter: string): boolean {
  return key.kind === 'text' && key.text.toLowerCase() === letter
}
