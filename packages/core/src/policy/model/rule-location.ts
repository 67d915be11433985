import type { RuleRef } from './verdict.ts'

/** Where a rule is written: file and line; one of a preset, or built in, stands in no file that one could open. */
export function rulePlace({ file, line, layer }: Omit<RuleRef, 'id'>): string {
  if (layer === 'builtin') return 'built in'
  if (layer !== 'preset') return `${file}:${line}`
  const preset = file.replace(/^preset:|\.ya?ml$/g, '')
  // What stands in for a policy that could not be read is nobody's choice.
  return preset === 'held' ? 'no policy is in force' : `the ${preset} preset`
}

/** A rule by its name, with its layer and where it is written. */
export function ruleWords(rule: RuleRef): string {
  const place = rulePlace(rule)
  const isOurs = rule.layer === 'preset' || rule.layer === 'builtin'
  return `${rule.id} (${isOurs ? place : `${rule.layer}, ${place}`})`
}
