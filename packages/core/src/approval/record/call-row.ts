import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { toolLabel } from '../../call/tool.ts'
import { fencedName } from '../../display/formatting.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { StoredCall } from '../../ports/store.ts'
import { effectSentence } from '../../preview/effect.ts'
import { callRedactor, redactJson } from '../../secrets/redact.ts'
import type { GateContext } from '../context/gate-context.ts'
import type { Judgement } from '../request/judgement.ts'

/** The row of a call as it is opened. */
export function rowOf(judgement: Judgement, mode: 'ask' | 'submit', context: GateContext): StoredCall {
  const { call, risk, verdict, supervision, circumstances } = judgement
  return {
    id: call.id,
    session: call.session,
    state: 'held',
    owner: context.waiter ?? context.ports.owners.self,
    mode,
    tool: toolLabel(call.tool),
    agent: agentText(call),
    risk: risk.level,
    supervision,
    rule: verdict.rule.id,
    callDigest: call.digest,
    requestDigest: null,
    summary: summarizeCall(judgement, context.ports.crypto),
    sealed: null,
    openedAt: circumstances.now,
    expiresAt: null,
    decision: null,
    outcome: null,
    closedAt: null,
    contain: verdict.contain == null ? null : canonicalJson(verdict.contain as unknown as Json),
  }
}

/** An agent with its parents before it. */
export function agentText({ agent }: Judgement['call']): string {
  return [...agent.parents, agent.name].join(' › ')
}

/** The columns that change when a person edits the arguments: they tell what would run, and that it was edited. */
export function editedColumns(judgement: Judgement, { ports }: Pick<GateContext, 'ports'>) {
  const { risk, verdict, supervision } = judgement
  const summary = `edited: ${summarizeCall(judgement, ports.crypto)}`
  return { summary, supervision, risk: risk.level, rule: verdict.rule.id } as const
}

/** Whether a row is that of a command: the line on what it does says so. */
export function isCommandRow({ summary }: Pick<StoredCall, 'summary'>): boolean {
  return summary.startsWith('Runs ')
}

const MAX_ARGUMENTS = 8
const MAX_LENGTH = 160
/** A longer argument is left out: it does not fit the line, and scanning it for secrets takes time. */
const MAX_VALUE = 400

/**
 * One redacted line on what a call would do, for the history. Where the effect only repeats the tool's name, some
 * arguments are added, so that two calls can be told apart.
 */
export function summarizeCall({ call, risk }: Judgement, crypto: Crypto): string {
  const effect = callRedactor(call.args, crypto).text(effectSentence(call, risk))
  const { command, paths = [], sql, url } = call.descriptor
  if (command !== undefined || paths.length > 0 || sql !== undefined || url !== undefined) return effect
  const brief = argumentWords(call.args, crypto)
  return brief === '' ? effect : `${effect} with ${fencedName(brief)}`
}

function argumentWords(args: JsonObject, crypto: Crypto): string {
  const small = Object.entries(args).flatMap(([name, value]) =>
    value !== undefined && lengthOf(value) <= MAX_VALUE ? [[name, value] as const] : [],
  )
  const clean = redactJson(Object.fromEntries(small.slice(0, MAX_ARGUMENTS)), crypto) as JsonObject
  const words = Object.entries(clean).map(([name, value = null]) => ({
    // Texts come first: they tell more than numbers and flags.
    rank: typeof value === 'string' ? 0 : 1,
    text: `${name}: ${typeof value === 'string' ? value : canonicalJson(value)}`,
  }))
  const all = words
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ text }) => text)
    .join(' · ')
  return all.length > MAX_LENGTH ? `${all.slice(0, MAX_LENGTH).toWellFormed()}…` : all
}

function lengthOf(value: Json): number {
  return typeof value === 'string' ? value.length : canonicalJson(value).length
}
