import * as z from 'zod'
import { RISK_LEVELS } from '../../risk/report/level.ts'
import { SUPERVISIONS } from '../model/supervision.ts'
import { PRESET_NAMES } from '../presets/preset-name.ts'
import { checkers, checks } from './checks.ts'
import { conditionShape, conditions } from './conditions.ts'
import { servers, thresholds } from './risk-rating.ts'
import * as text from './scalars.ts'
import { named, notEmpty } from './strict-object.ts'
import { policyTest } from './test-case.ts'

/**
 * The policy language, defined once: the loader checks files with it, editors get its JSON Schema, and what it gives
 * is what the rest of the program reads (short spellings already turned into long ones).
 */

const supervision = z.enum(SUPERVISIONS)

/** One rule. Every condition given must hold. */
export const rule = named('a rule', {
  id: text.ruleId.describe('Name of the rule, shown wherever it decides. Unique in the file.').exactOptional(),
  ...conditionShape,
  unless: conditions.describe('… but not when all of this holds.').exactOptional(),
  supervision: supervision.describe(
    'automatic runs · notify runs and shows a notice · confirm asks a person · manual asks with more care · deny never runs.',
  ),
  floor: z.boolean().describe('Only tightens: at least this supervision, whatever other rules say.').exactOptional(),
  up_to: z
    .enum(RISK_LEVELS)
    .describe('Highest risk for which automatic or notify holds; above it the preset answers. Default medium.')
    .exactOptional(),
  checks: checks
    .describe('Safety checks that run before anyone is asked: names, or a name with options.')
    .exactOptional(),
  timeout: text.timeout.describe('How long a held call waits for a person: 30s, 5m, 2h. Default 5m.').exactOptional(),
  reason: text.sentence.describe('Why; shown to the person and given to the agent.').exactOptional(),
}).check((context) => {
  const { value } = context
  const refuse = (message: string, key?: string): void =>
    void context.issues.push({ code: 'custom', message, input: value, ...(key === undefined ? {} : { path: [key] }) })
  if (context.issues.length > 0) return
  const loose = value.supervision === 'automatic' || value.supervision === 'notify'
  if (!Object.keys(conditionShape).some((key) => Object.hasOwn(value, key)))
    refuse('a rule needs a condition; write `tool: "*"` if it is meant for every call')
  if (value.up_to !== undefined && (!loose || value.floor === true))
    refuse('`up_to` goes with automatic or notify that is no floor; remove it', 'up_to')
  if (value.floor === true && value.supervision === 'automatic')
    refuse('a floor of automatic changes nothing; remove `floor` or write a stricter supervision', 'floor')
})

const backups = named(
  '`backups`',
  {
    keep: text.age.describe('A copy older than this is deleted: 12h, 7d. Default 7d.').exactOptional(),
    most: text.bytes.describe('Past this size of all copies the oldest are deleted. Default 1GB.').exactOptional(),
  },
  '{ keep: 7d, most: 1GB }',
).check(notEmpty('`backups` is empty; write keep or most'))

const defaults = named(
  '`defaults`',
  {
    timeout: text.timeout.describe('How long a held call waits where no rule says: 30s, 5m, 2h.').exactOptional(),
    backups: backups.describe('How long copies made before a change are kept.').exactOptional(),
    passkey: z
      .enum(RISK_LEVELS)
      .describe('From this risk on only a passkey approves. Only in the user’s or a managed file.')
      .exactOptional(),
  },
  '{ timeout: 5m }',
).check(notEmpty('`defaults` is empty; write timeout, backups or passkey, or remove it'))

const limitList = text.oneOrMore(text.limit)

const limits = named(
  '`limits`',
  {
    calls: limitList.describe('Calls, such as 200/h.').exactOptional(),
    files: limitList.describe('Files written or deleted, such as 50/session.').exactOptional(),
    lines: limitList.describe('Lines written, such as 2000/session.').exactOptional(),
  },
  '{ calls: 200/h }',
).check(notEmpty('`limits` is empty; write calls, files or lines'))

const tools = z
  .record(text.nameGlob, supervision)
  .refine((map) => Object.keys(map).length > 0, { error: '`tools` is empty; name a tool or remove it' })

const common = {
  version: z.literal(1).describe('Version of the policy language.'),
  defaults: defaults.describe('What holds where no rule says otherwise.').exactOptional(),
  rules: z
    .array(rule.describe('One rule: every condition given must hold.'))
    .min(1)
    .describe('Rules. Their order never matters.')
    .exactOptional(),
  tools: tools.describe('Short form: one supervision per tool.').exactOptional(),
  auto_approve: z
    .array(text.nameGlob)
    .min(1)
    .describe('Short form: tools that run unasked, up to risk medium.')
    .exactOptional(),
  never_allow: z
    .array(text.nameGlob)
    .min(1)
    .describe('Short form: tools that never run, on any server.')
    .exactOptional(),
  limits: limits.describe('Past a limit, calls need a person.').exactOptional(),
  tests: z
    .array(policyTest)
    .min(1)
    .describe('Cases this policy must get right; `countersign policy test` runs them.')
    .exactOptional(),
}

/** A policy file of a person, a project or an organisation. */
export const policyFile = named('the file', {
  ...common,
  preset: z
    .enum(PRESET_NAMES)
    .describe('What answers where no rule speaks. Only in the user’s or a managed file.')
    .exactOptional(),
  thresholds: thresholds
    .describe('From where on a call counts as large. Only in the user’s or a managed file.')
    .exactOptional(),
  servers: servers
    .describe('What is held of MCP servers, by their exact names. Only in the user’s or a managed file.')
    .exactOptional(),
  checkers: checkers
    .describe('Programs that check calls, by the name that rules use. A project’s run only once it is trusted.')
    .exactOptional(),
})

const row = named('`rows`', {
  none: supervision,
  low: supervision,
  medium: supervision,
  high: supervision,
  critical: supervision,
  undescribed: supervision,
  ignores_declarations: z.boolean(),
})

/** A preset: the same language, with the table that answers where no rule speaks. */
export const presetFile = named('the preset', { ...common, rows: row.exactOptional() })

export type PolicyDocument = z.output<typeof policyFile> & Partial<Pick<z.output<typeof presetFile>, 'rows'>>
export type RuleDocument = z.output<typeof rule>

/** Keys that will mean something one day: refused until they are enforced. */
export const LATER_KEYS: ReadonlySet<string> = new Set(
  'approvers approver quorum roles role escalate escalation channels plans'.split(' '),
)
