import type { Kind } from '../../call/descriptor.ts'
import type { JsonObject } from '../../call/json/json.ts'
import type { ToolRef } from '../../call/tool.ts'
import type { OwnKnowledge } from '../../knowledge/own-knowledge.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { assessCall } from '../../risk/assess-call.ts'
import { highestRisk, type RiskLevel, riskRank } from '../../risk/report/level.ts'
import { type PolicyProblem, quote } from '../model/policy-problem.ts'
import type { Rule } from '../model/rule.ts'
import { TEST_PLACES } from './test-places.ts'

/** What is tried with any tool. */
const USUAL: readonly JsonObject[] = [
  {},
  { path: 'src/a.ts' },
  { command: 'pwd' },
  { url: 'https://example.com' },
  { environment: 'production' },
]

const GRAVE_OF: Partial<Record<Kind, readonly JsonObject[]>> = {
  read: [{ path: '~/.ssh/id_rsa' }],
  write: [
    { path: '/etc/passwd', content: 'x' },
    { path: '~/.ssh/authorized_keys', content: 'x' },
  ],
  delete: [{ path: '/' }],
  move: [{ source: '/etc/passwd', destination: '/etc/shadow' }],
  execute: [{ command: 'rm -rf /' }],
  query: [{ sql: 'DROP DATABASE prod' }],
  fetch: [{ url: 'http://169.254.169.254/', method: 'DELETE' }],
  send: [{ to: 'all@example.com', text: `key ${'-----BEGIN RSA PRIVATE KEY-----'}` }],
}

/** A `risk:` condition on tools named exactly that no call of theirs meets: authors often mean `raises_to`. */
export function lintRisk(
  rule: Rule,
  crypto: Pick<Crypto, 'sha256'>,
  knowledge?: OwnKnowledge,
): readonly PolicyProblem[] {
  const { tool: tools = [], risk, any, all, not } = rule.when
  if (risk === undefined || tools.length === 0 || tools.some((tool) => tool.includes('*'))) return []
  if (any !== undefined || all !== undefined || not !== undefined) return []
  const levels = tools.map((tool) => levelsOf(tool, crypto, knowledge))
  if (levels.some((tried) => tried.length === 0)) return []
  const most = highestRisk(levels.flat())
  const least = levels.flat().reduce((a, b) => (riskRank(b) < riskRank(a) ? b : a), 'critical')
  const { at_least = 'none', at_most = 'critical' } = risk
  const named = tools.map((tool) => quote(tool)).join(', ')
  const message =
    riskRank(most) < riskRank(at_least)
      ? `${quote(rule.id)} hardly applies: ${named} is at most ${most} in every call that lint tried; \`raises_to: ${at_least}\` rates it ${at_least}`
      : riskRank(least) > riskRank(at_most)
        ? `${quote(rule.id)} hardly applies: ${named} is at least ${least} in every call that lint tried`
        : null
  return message === null ? [] : [{ file: rule.file, line: rule.line, column: 1, message }]
}

/** Empty for a tool whose name tells nothing. */
function levelsOf(
  label: string,
  crypto: Pick<Crypto, 'sha256'>,
  knowledge: OwnKnowledge | undefined,
): readonly RiskLevel[] {
  const slash = label.indexOf('/')
  const tool: string | ToolRef = slash < 0 ? label : { server: label.slice(0, slash), name: label.slice(slash + 1) }
  const rate = (args: JsonObject) => assessCall({ tool, args }, TEST_PLACES, crypto, knowledge)
  const { call, risk } = rate({})
  if (risk.reasons.some(({ rule }) => rule === 'tool.undescribed')) return []
  const { kind, source } = call.descriptor
  // Not everything that is written goes into a file.
  const isOwnKind = kind !== 'write' || source === 'known' || /file/i.test(label)
  return [...USUAL, ...(isOwnKind ? (GRAVE_OF[kind] ?? []) : [])].map((args) => rate(args).risk.level)
}
