import { baseName } from '../../command/programs/program-names.ts'
import { NO_SETTINGS, settingsOf } from '../model/builtin-checks.ts'
import { NO_BOUNDS } from '../model/containment.ts'
import type { Conditions, PolicySource, Rule } from '../model/rule.ts'
import type { Supervision } from '../model/supervision.ts'
import { conditionShape } from '../schema/conditions.ts'
import type { PolicyDocument, RuleDocument } from '../schema/policy-document.ts'
import type { TreePath } from './yaml-tree.ts'

/** All rules of a document, with the short forms expanded into ordinary rules. */
export function expandRules(
  file: PolicySource,
  document: PolicyDocument,
  lineOf: (path: TreePath) => number,
): readonly Rule[] {
  const written = (document.rules ?? []).map((rule, index) => {
    const id = rule.id ?? `${baseName(file.name)}#${index + 1}`
    return writtenRule(rule, { id, ...origin(file, lineOf(['rules', index])) })
  })
  const short = (id: string, tool: string, supervision: Supervision, path: TreePath): Rule => {
    return { id, ...origin(file, lineOf(path)), ...PLAIN, when: { tool: coveredNames(tool, supervision) }, supervision }
  }
  return [
    ...written,
    ...Object.entries(document.tools ?? {}).map(([tool, supervision]) =>
      short(`tools.${tool}`, tool, supervision, ['tools', tool]),
    ),
    ...(document.auto_approve ?? []).map((tool, index) =>
      short(`auto_approve[${index}]`, tool, 'automatic', ['auto_approve', index]),
    ),
    ...(document.never_allow ?? []).map((tool, index) =>
      short(`never_allow[${index}]`, tool, 'deny', ['never_allow', index]),
    ),
  ]
}

const PLAIN = { unless: null, floor: false, upTo: 'medium', checks: [], timeoutMs: null, reason: null } as const

function origin(file: PolicySource, line: number): Pick<Rule, 'layer' | 'file' | 'line'> {
  return { layer: file.layer, file: file.name, line }
}

/** A bare name denied in a short form is denied on every server too. */
function coveredNames(tool: string, supervision: Supervision): readonly string[] {
  return supervision === 'deny' && !tool.includes('/') ? [tool, `*/${tool}`] : [tool]
}

function writtenRule(rule: RuleDocument, place: Pick<Rule, 'id' | 'layer' | 'file' | 'line'>): Rule {
  const given = Object.entries(rule).filter(([key]) => Object.hasOwn(conditionShape, key))
  const when: Conditions = Object.fromEntries(given)
  const settings = settingsOf(rule.checks ?? [])
  return {
    ...place,
    when,
    unless: rule.unless ?? null,
    // A rule that only states a risk is a floor that requires nothing: it competes with no other.
    supervision: rule.supervision ?? 'automatic',
    floor: rule.supervision === undefined || (rule.floor ?? false),
    upTo: rule.up_to ?? 'medium',
    ...(rule.raises_to === undefined ? {} : { raisesTo: rule.raises_to }),
    checks: [...new Set((rule.checks ?? []).map(({ name }) => name))],
    ...(settings === NO_SETTINGS ? {} : { settings }),
    timeoutMs: rule.timeout ?? null,
    reason: rule.reason ?? null,
    ...(rule.contain === undefined
      ? {}
      : { contain: rule.contain === false ? false : { ...NO_BOUNDS, ...rule.contain } }),
  }
}
