import {
  CountersignError,
  type Desk,
  proposalDiff,
  proposalWords,
  type RulesEdit,
  type RulesProposal,
  readTarget,
  type SafeText,
  SUPERVISIONS,
  safeText,
} from '@countersign/core'
import { changeRules } from '@countersign/node'
import type { LocalKey } from '../home/approver-key.ts'

const USAGE = 'usage: /settings <tool or command> never|always|manual|deny|default, or /settings undo'

/** What the settings are called here and in the inbox. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['never', 'automatic'],
  ['always', 'confirm'],
])

/**
 * Changes the policy from the chat: `/settings git push never` shows what that would change, `/settings apply <code>` signs
 * it. INVARIANT: L8 the agent has no access to this.
 */
export function settingsEditor(desk: Desk, key: LocalKey): (rest: string) => Promise<readonly SafeText[]> {
  let shown: RulesProposal | null = null

  async function propose(edit: RulesEdit): Promise<readonly SafeText[]> {
    const proposal = await desk.rules().propose(edit)
    shown = proposal
    const { act, code } = proposal
    const apply = `to apply it: /settings apply ${code}${act.typed ? ' <reason>' : ''}`
    return [...proposalDiff(proposal), ...proposalWords(proposal), apply].map(safeText)
  }

  async function apply(code: string, reason: string): Promise<readonly SafeText[]> {
    if (shown === null || code.toLowerCase() !== shown.code)
      throw new CountersignError('CS_DECISION_CODE', 'choose a setting first, then type the code that is shown with it')
    if (key.sealed)
      throw new CountersignError('CS_PASSPHRASE', 'your key needs its passphrase; use `countersign policy set`')
    const proposal = shown
    const said = reason === '' ? {} : { reason }
    await key.recorded
    await changeRules(desk, { proposal, code, ...said }, { approver: key.open(), surface: 'terminal' })
    shown = null
    return [safeText(`change ${proposal.change.seq} applied: ${proposal.change.what}; /settings undo reverts it`)]
  }

  return async (rest) => {
    const words = rest.split(/\s+/u)
    const [first = '', second = ''] = words
    if (first === 'apply') return apply(second, words.slice(2).join(' '))
    if (rest === 'undo') return propose({ kind: 'undo', seq: null })
    const last = words.at(-1) ?? ''
    const named = NAMES.get(last) ?? last
    const supervision = [...SUPERVISIONS, 'default' as const].find((one) => one === named)
    if (supervision === undefined || words.length < 2) throw new CountersignError('CS_USAGE', USAGE)
    const conditions = readTarget(words.slice(0, -1).join(' '), () => false)
    return propose({ kind: 'set', conditions, supervision })
  }
}

/** The settings that people made, one line each. */
export async function settingLines(desk: Desk): Promise<readonly (readonly [label: string, text: string])[]> {
  const changes = await desk.rules().changes()
  const undone = new Set(changes.map(({ undoes }) => undoes))
  const standing = changes.filter(({ act, seq }) => (act === 'set' || act === 'add') && !undone.has(seq))
  return standing.slice(-MOST_SHOWN).map(({ seq, what }) => ['setting', `${seq}. ${what}`] as const)
}

const MOST_SHOWN = 10
