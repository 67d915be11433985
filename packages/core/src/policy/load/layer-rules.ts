import type { PolicyFile } from '../../ports/policy-files.ts'
import type { Rule } from '../model/rule.ts'

/**
 * The rules of a file, restricted by its layer. All rules of a managed file or an untrusted project are floors, which can
 * only tighten. INVARIANT: L4, a floor never competes for the base.
 */
export function layerRules(rules: readonly Rule[], file: Pick<PolicyFile, 'layer' | 'trusted'>): readonly Rule[] {
  return onlyTightens(file) ? asFloors(rules) : rules
}

/** Whether the file can only tighten. */
export function onlyTightens(file: Pick<PolicyFile, 'layer' | 'trusted'>): boolean {
  return file.layer === 'managed' || (file.layer === 'project' && file.trusted !== true)
}

export function asFloors(rules: readonly Rule[]): readonly Rule[] {
  return rules.map((rule) => ({ ...rule, floor: true }))
}

/**
 * Makes ids unique across files, for display only: duplicates get their layer as a prefix, then their file, then a number.
 * The order of the rules must not depend on the order of the files.
 */
export function qualifyIds(rules: readonly Rule[]): readonly Rule[] {
  const spellings: readonly ((rule: Rule) => string)[] = [
    (rule) => rule.id,
    (rule) => `${rule.layer}:${rule.id}`,
    (rule) => `${rule.layer}:${rule.file}:${rule.id}`,
  ]
  const counts = spellings.map((spell) => countBy(rules.map(spell)))
  const taken = new Map<string, number>()
  return rules.map((rule) => {
    const at = spellings.findIndex((spell, index) => counts[index]?.get(spell(rule)) === 1)
    const spell = spellings[at] ?? spellings.at(-1)
    const name = spell?.(rule) ?? rule.id
    if (at !== -1) return name === rule.id ? rule : { ...rule, id: name }
    const nth = (taken.get(name) ?? 0) + 1
    taken.set(name, nth)
    return { ...rule, id: `${name}~${nth}` }
  })
}

function countBy(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}
